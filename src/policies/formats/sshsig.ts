/**
 * `sshsig`: what `ssh-keygen -Y sign -n NAMESPACE` writes. The namespace is signed and keeps a signature that was
 * made for something else, a git commit for one, from passing as a policy's.
 *
 * @module
 */
import { createHash, createPublicKey } from "node:crypto";
import { readSshKeyBlob } from "../keys/ssh-key.ts";
import { SshReader, sshString } from "../keys/ssh-wire.ts";
import { verifyWithKeys } from "../keys/verify-with-keys.ts";
import { PolicyError } from "../policy-error.ts";
import { decodeBase64, decodeUtf8, linesOf } from "../text.ts";
import { type DetachedConfig, readDetached } from "./detached.ts";
import type { SignatureFormat } from "./format.ts";

/** A policy that was signed with `ssh-keygen -Y sign -n NAMESPACE`. */
export interface SshsigConfig extends DetachedConfig {
  readonly format: "sshsig";
  /** The exact namespace that policies are signed in: `policy@example.com`. */
  readonly namespace: string;
}

const MAGIC = "SSHSIG";
const VERSION = 1;
const HASHES: ReadonlySet<string> = new Set(["sha256", "sha512"]);

export const sshsig: SignatureFormat = {
  name: "sshsig",
  prepare(config) {
    const readFiles = readDetached(config);
    const namespace = config.text("namespace");
    return async ({ artifact, ...input }) => {
      const { signature: file, keys } = await readFiles({ artifact, ...input });
      const parts = readParts(unarmor(file));
      if (!HASHES.has(parts.hash)) throw new PolicyError("algorithm_refused");
      const message = Buffer.concat([
        Buffer.from(MAGIC),
        sshString(parts.namespace),
        sshString(parts.reserved),
        sshString(parts.hash),
        sshString(createHash(parts.hash).update(artifact).digest()),
      ]);
      const signer = importSigner(parts.publicKey);
      const trusted = keys.filter((key) => key.key.equals(signer));
      // The signature carries its key. That only says which of the trusted keys to use, if it is one.
      if (trusted.length === 0) throw new PolicyError("key_unknown");
      const signature = readSignature(parts.signature);
      verifyWithKeys(trusted, [signature.algorithm], [{ message, ...signature }], input.now);
      if (parts.namespace !== namespace) throw new PolicyError("metadata_mismatch", "It is the namespace.");
      return {};
    };
  },
};

function unarmor(file: Uint8Array): Uint8Array {
  const lines = linesOf(decodeUtf8(file) ?? "") ?? [];
  const framed =
    lines[0] === "-----BEGIN SSH SIGNATURE-----" && lines.at(-1) === "-----END SSH SIGNATURE-----";
  const bytes = framed ? decodeBase64(lines.slice(1, -1).join(""), "base64") : undefined;
  return bytes ?? malformed();
}

function readParts(blob: Uint8Array): {
  publicKey: Uint8Array;
  namespace: string;
  reserved: Uint8Array;
  hash: string;
  signature: Uint8Array;
} {
  const reader = new SshReader(blob);
  const magic = reader.raw(MAGIC.length);
  const version = reader.count();
  const publicKey = reader.string();
  const namespace = reader.utf8();
  const reserved = reader.string();
  const hash = reader.utf8();
  const signature = reader.string();
  const known = magic !== undefined && Buffer.from(magic).equals(Buffer.from(MAGIC)) && version === VERSION;
  const complete = publicKey && namespace && reserved && hash && signature && reader.atEnd;
  if (!known || !complete) return malformed();
  return { publicKey, namespace, reserved, hash, signature };
}

function importSigner(blob: Uint8Array) {
  const jwk = readSshKeyBlob(blob);
  if (jwk === undefined) throw new PolicyError("algorithm_refused");
  try {
    return createPublicKey({ key: jwk, format: "jwk" });
  } catch {
    return malformed();
  }
}

function readSignature(blob: Uint8Array) {
  const outer = new SshReader(blob);
  const type = outer.utf8();
  const body = outer.string();
  if (body === undefined || !outer.atEnd) return malformed();
  if (type === "ssh-ed25519") {
    return { algorithm: "ed25519", signature: body, ecdsaEncoding: "der" } as const;
  }
  if (type !== "ecdsa-sha2-nistp256") throw new PolicyError("algorithm_refused");
  const inner = new SshReader(body);
  const [r, s] = [inner.positiveInteger(32), inner.positiveInteger(32)];
  if (r === undefined || s === undefined || !inner.atEnd) return malformed();
  const signature = Buffer.concat([r, s]);
  return { algorithm: "ecdsa-p256", signature, ecdsaEncoding: "ieee-p1363" } as const;
}

function malformed(): never {
  throw new PolicyError("signature_malformed");
}
