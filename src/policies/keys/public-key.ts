/**
 * A public key from any of the texts it is usually kept in. What the key is fixes the algorithm; nothing in a
 * signature can change it.
 *
 * @module
 */
import { createPublicKey, type KeyObject } from "node:crypto";
import { PolicyError } from "../policy-error.ts";
import { decodeBase64 } from "../text.ts";
import { isWeakEd25519Key } from "./ed25519-points.ts";
import { readMinisignKey } from "./minisign-key.ts";
import { readSshKey } from "./ssh-key.ts";

/** The kinds of key, and with each the one way it signs: pure Ed25519, ECDSA with SHA-256, RSA PKCS#1 with SHA-256. */
export type KeyAlgorithm = "ed25519" | "ecdsa-p256" | "rsa-sha256";

export interface PublicKey {
  readonly algorithm: KeyAlgorithm;
  readonly key: KeyObject;
  /** minisign's own number of the key, where the key came as minisign's text. */
  readonly minisignNumber?: Uint8Array;
}

const PEM = /^-----BEGIN PUBLIC KEY-----\r?\n[A-Za-z0-9+/=\r\n]+-----END PUBLIC KEY-----\r?\n?$/;
const MAX_KEY_TEXT = 16 * 1024;
const RSA_MIN_BITS = 2048;

/**
 * Reads a PEM public key (`BEGIN PUBLIC KEY`), the base64 of 32 raw Ed25519 bytes, a line of an OpenSSH `.pub`
 * file, or minisign's public key.
 *
 * A private key and a certificate are refused although a public key could be taken from both: the one should not
 * lie here, the other says more than this package would check.
 *
 * @throws PolicyError `trust_root_invalid`
 */
export function parsePublicKey(text: string): PublicKey {
  if (text.length > MAX_KEY_TEXT) return refuse("A public key is too long.");
  if (PEM.test(text)) return inspect(importKey({ key: text, format: "pem" }));
  const trimmed = text.trim();
  const ssh = readSshKey(trimmed);
  if (ssh !== undefined) return inspect(importKey({ key: ssh, format: "jwk" }));
  const minisign = readMinisignKey(trimmed);
  if (minisign !== undefined) {
    return { ...ed25519FromRaw(minisign.key), minisignNumber: minisign.number };
  }
  const raw = decodeBase64(trimmed, "base64");
  return raw?.length === 32 ? ed25519FromRaw(raw) : refuse("A public key is in no known form.");
}

function ed25519FromRaw(raw: Uint8Array): PublicKey {
  const x = Buffer.from(raw).toString("base64url");
  return inspect(importKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" }));
}

function importKey(input: Parameters<typeof createPublicKey>[0]): KeyObject {
  try {
    return createPublicKey(input);
  } catch {
    return refuse("A public key cannot be decoded.");
  }
}

function inspect(key: KeyObject): PublicKey {
  const details = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case "ed25519": {
      const raw = Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url");
      return isWeakEd25519Key(raw)
        ? refuse("An Ed25519 key lies in a small subgroup: anybody can sign for it.")
        : { algorithm: "ed25519", key };
    }
    case "ec":
      return details.namedCurve === "prime256v1"
        ? { algorithm: "ecdsa-p256", key }
        : refuse("An elliptic curve key is not on P-256.");
    case "rsa":
      return (details.modulusLength ?? 0) >= RSA_MIN_BITS && (details.publicExponent ?? 0n) >= 65537n
        ? { algorithm: "rsa-sha256", key }
        : refuse(`An RSA key has fewer than ${RSA_MIN_BITS} bits, or an exponent below 65537.`);
    default:
      return refuse("A public key is of a kind that is not supported.");
  }
}

function refuse(detail: string): never {
  throw new PolicyError("trust_root_invalid", detail);
}
