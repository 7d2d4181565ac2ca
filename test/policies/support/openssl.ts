/** Keys and signatures that OpenSSL makes. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { write } from "./deployment.ts";
import { run } from "./tools.ts";

export interface OpensslKey {
  /** Path of the private key. */
  readonly file: string;
  readonly publicPem: string;
}

export function ed25519Key(folder: string): OpensslKey {
  return publicPart(folder, ["genpkey", "-algorithm", "ed25519"]);
}

export function p256Key(folder: string): OpensslKey {
  return publicPart(folder, ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]);
}

export function rsaKey(folder: string, bits = 2048, exponent = 65537): OpensslKey {
  const options = [`rsa_keygen_bits:${bits}`, `rsa_keygen_pubexp:${exponent}`];
  return publicPart(folder, ["genpkey", "-algorithm", "RSA", ...options.flatMap((one) => ["-pkeyopt", one])]);
}

function publicPart(folder: string, generate: readonly string[]): OpensslKey {
  const file = `${randomUUID()}.key`;
  run("openssl", [...generate, "-out", file], folder);
  const publicPem = run("openssl", ["pkey", "-in", file, "-pubout"], folder).toString();
  return { file: join(folder, file), publicPem };
}

/** The signature of any bytes: 64 raw bytes for Ed25519, ASN.1 over SHA-256 for the others. */
export function sign(folder: string, key: OpensslKey, message: Uint8Array | string): Buffer {
  const input = `${randomUUID()}.bin`;
  write(folder, input, message);
  const isEd25519 = run("openssl", ["pkey", "-in", key.file, "-noout", "-text"], folder).includes("ED25519");
  return isEd25519
    ? run("openssl", ["pkeyutl", "-sign", "-rawin", "-inkey", key.file, "-in", input], folder)
    : run("openssl", ["dgst", "-sha256", "-sign", key.file, input], folder);
}

/** SHA-256 as OpenSSL computes it. */
export function sha256(folder: string, file: string): string {
  return run("openssl", ["dgst", "-sha256", "-r", file], folder).toString().slice(0, 64);
}

/** The 32 raw bytes of an Ed25519 public key, in base64. */
export function rawBase64(folder: string, key: OpensslKey): string {
  const der = run("openssl", ["pkey", "-in", key.file, "-pubout", "-outform", "DER"], folder);
  return der.subarray(-32).toString("base64");
}

/** The two numbers of an ECDSA signature one after the other, 32 bytes each, from ASN.1. */
export function withoutAsn1(signature: Uint8Array): Buffer {
  const bytes = Buffer.from(signature);
  const number = (at: number) => {
    const length = bytes[at + 1] ?? 0;
    return { value: bytes.subarray(at + 2, at + 2 + length), end: at + 2 + length };
  };
  const r = number(2);
  const s = number(r.end);
  return Buffer.concat(
    [r.value, s.value].map((value) => Buffer.concat([Buffer.alloc(32), value]).subarray(-32)),
  );
}
