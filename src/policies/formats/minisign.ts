/**
 * `minisign`: what `minisign -S` writes. The trusted comment is signed; `id:NAME version:VERSION` in it are held
 * against the configuration.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { verifyWithKeys } from "../keys/verify-with-keys.ts";
import { PolicyError } from "../policy-error.ts";
import { metadataOf, type SignedMetadata } from "../signed-metadata.ts";
import { decodeBase64, decodeUtf8, linesOf } from "../text.ts";
import { type DetachedConfig, readDetached } from "./detached.ts";
import type { SignatureFormat } from "./format.ts";

/** A policy that was signed with `minisign -S`. */
export interface MinisignConfig extends DetachedConfig {
  readonly format: "minisign";
}

const UNTRUSTED = "untrusted comment:";
const TRUSTED = "trusted comment: ";
const SIGNATURE_LENGTH = 64;
const HEAD_LENGTH = 2 + 8;
const METADATA_FIELDS: ReadonlySet<string> = new Set([
  "id",
  "version",
  "type",
  "scope",
  "not_before",
  "expires_at",
]);

export const minisign: SignatureFormat = {
  name: "minisign",
  prepare(config) {
    const readFiles = readDetached(config);
    return async (input) => {
      const { signature: file, keys } = await readFiles(input);
      const { algorithm, keyNumber, signature, comment, commentSignature } = readParts(file);
      // `Ed` signs the file itself. A signature over a hash (`ED`) would then pass for one over a file that holds
      // just that hash, so only one of the two can be taken.
      if (algorithm !== "ED") throw new PolicyError("algorithm_refused");
      const numbered = keys.filter(
        (key) => key.minisignNumber !== undefined && keyNumber.equals(key.minisignNumber),
      );
      if (numbered.length === 0) throw new PolicyError("key_unknown");
      const message = createHash("blake2b512").update(input.artifact).digest();
      const found = { message, signature, ecdsaEncoding: "der" } as const;
      const signer = verifyWithKeys(numbered, ["ed25519"], [found], input.now);
      const signedComment = Buffer.concat([signature, Buffer.from(comment)]);
      const overComment = {
        message: signedComment,
        signature: commentSignature,
        ecdsaEncoding: "der",
      } as const;
      verifyWithKeys([signer], ["ed25519"], [overComment], input.now);
      return { metadata: readComment(comment) };
    };
  },
};

function readParts(file: Uint8Array) {
  const lines = linesOf(decodeUtf8(file) ?? "") ?? [];
  const [untrusted, first, trusted, second] = lines;
  const framed =
    lines.length === 4 && untrusted?.startsWith(UNTRUSTED) === true && trusted?.startsWith(TRUSTED) === true;
  const head = decodeBase64(first, "base64");
  const commentSignature = decodeBase64(second, "base64");
  if (!framed || head?.length !== HEAD_LENGTH + SIGNATURE_LENGTH)
    throw new PolicyError("signature_malformed");
  if (commentSignature?.length !== SIGNATURE_LENGTH) throw new PolicyError("signature_malformed");
  return {
    algorithm: Buffer.from(head.subarray(0, 2)).toString("latin1"),
    keyNumber: Buffer.from(head.subarray(2, HEAD_LENGTH)),
    signature: head.subarray(HEAD_LENGTH),
    comment: trusted.slice(TRUSTED.length),
    commentSignature,
  };
}

// minisign writes words of its own into the comment (`timestamp:`, `file:`, `hashed`), so unknown words are left.
function readComment(comment: string): SignedMetadata {
  const fields = new Map<string, string>();
  for (const word of comment.split(/\s+/)) {
    const [name, ...rest] = word.split(":");
    if (name === undefined || rest.length === 0 || !METADATA_FIELDS.has(name)) continue;
    if (fields.has(name))
      throw new PolicyError("metadata_mismatch", "The trusted comment says a thing twice.");
    fields.set(name, rest.join(":"));
  }
  return metadataOf(Object.fromEntries(fields));
}
