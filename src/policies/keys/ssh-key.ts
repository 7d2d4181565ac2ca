/**
 * Public keys as OpenSSH writes them: a line of a `.pub` file, and the same bytes inside a signature.
 *
 * @module
 */
import type { JsonWebKey } from "node:crypto";
import { decodeBase64 } from "../text.ts";
import { SshReader } from "./ssh-wire.ts";

const LINE = /^(?:ssh-ed25519|ecdsa-sha2-nistp256) ([A-Za-z0-9+/]+={0,2})(?: [^\r\n]*)?$/;
const UNCOMPRESSED = 0x04;

/** The key of a `.pub` line as a JSON Web Key; `undefined` when it is none of Ed25519 and ECDSA P-256. */
export function readSshKey(line: string): JsonWebKey | undefined {
  const match = LINE.exec(line);
  const blob = decodeBase64(match?.[1], "base64");
  return blob === undefined ? undefined : readSshKeyBlob(blob);
}

/** The key of SSH's wire form as a JSON Web Key. */
export function readSshKeyBlob(blob: Uint8Array): JsonWebKey | undefined {
  const reader = new SshReader(blob);
  const type = reader.utf8();
  if (type === "ssh-ed25519") {
    const key = reader.string();
    return key?.length === 32 && reader.atEnd ? { kty: "OKP", crv: "Ed25519", x: base64url(key) } : undefined;
  }
  if (type !== "ecdsa-sha2-nistp256" || reader.utf8() !== "nistp256") return undefined;
  const point = reader.string();
  return point?.length === 65 && point[0] === UNCOMPRESSED && reader.atEnd
    ? { kty: "EC", crv: "P-256", x: base64url(point.subarray(1, 33)), y: base64url(point.subarray(33)) }
    : undefined;
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
