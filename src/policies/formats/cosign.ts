/**
 * `cosign`: what `cosign sign-blob --key` writes, an ECDSA P-256 signature over the file. Either the bare
 * signature (base64 of its ASN.1) or cosign's bundle around it. Nothing of the transparency log is looked at.
 *
 * @module
 */
import { isRecord } from "../config-reader.ts";
import { verifyWithKeys } from "../keys/verify-with-keys.ts";
import { PolicyError } from "../policy-error.ts";
import { decodeBase64, decodeBase64Line, decodeJson } from "../text.ts";
import { type DetachedConfig, readDetached } from "./detached.ts";
import type { SignatureFormat } from "./format.ts";

/** A policy that was signed with `cosign sign-blob --key`. */
export interface CosignConfig extends DetachedConfig {
  readonly format: "cosign";
}

export const cosign: SignatureFormat = {
  name: "cosign",
  prepare(config) {
    const readFiles = readDetached(config);
    return async (input) => {
      const { signature: file, keys } = await readFiles(input);
      const signature = decodeBase64Line(file) ?? readBundle(decodeJson(file), input.sha256);
      if (signature === undefined) throw new PolicyError("signature_malformed");
      verifyWithKeys(
        keys,
        ["ecdsa-p256"],
        [{ message: input.artifact, signature, ecdsaEncoding: "der" }],
        input.now,
      );
      return {};
    };
  },
};

// cosign 2 wrote `base64Signature`; later ones write a sigstore bundle with a `messageSignature`.
function readBundle(bundle: unknown, sha256: string): Uint8Array | undefined {
  if (!isRecord(bundle)) return undefined;
  const content = bundle.messageSignature;
  if (!isRecord(content)) return decodeBase64(bundle.base64Signature, "base64");
  const digest = isRecord(content.messageDigest) ? content.messageDigest.digest : undefined;
  if (digest !== undefined && digest !== Buffer.from(sha256, "hex").toString("base64")) {
    throw new PolicyError("digest_mismatch");
  }
  return decodeBase64(content.signature, "base64");
}
