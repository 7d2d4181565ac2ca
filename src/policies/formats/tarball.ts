/**
 * Reads a gzipped tar archive of plain files, as `opa build` and `tar czf` write it, into memory and never onto
 * disk.
 *
 * @module
 */
import { gunzipSync } from "node:zlib";
import { isPlainPath, MAX_MEMBER_BYTES, MAX_MEMBERS } from "../members.ts";
import { PolicyError } from "../policy-error.ts";

const BLOCK = 512;

/**
 * The files of an archive by path, without a leading `/` or `./`. Links, devices and repeated paths are refused,
 * and so are the headers for paths that do not fit (PAX, GNU).
 *
 * @throws PolicyError `signature_malformed`, `too_large`
 */
export function readTarball(archive: Uint8Array): Map<string, Uint8Array> {
  const tar = unzip(archive);
  const files = new Map<string, Uint8Array>();
  let at = 0;
  // Two blocks of zeros end an archive; one is looked for, since nothing else begins with a zero.
  while (at + BLOCK <= tar.length && tar[at] !== 0) {
    const header = tar.subarray(at, at + BLOCK);
    const size = octal(header, 124, 12);
    if (octal(header, 148, 8) !== checksum(header)) return malformed();
    const start = at + BLOCK;
    at = start + Math.ceil(size / BLOCK) * BLOCK;
    if (at > tar.length) return malformed();
    const kind = String.fromCharCode(header[156] ?? 0);
    if (kind === "5") continue;
    const path = pathOf(header).replace(/^\.?\//, "");
    if ((kind !== "0" && kind !== "\0") || !isPlainPath(path) || files.has(path)) return malformed();
    if (files.size === MAX_MEMBERS) throw new PolicyError("too_large", `The limit is ${MAX_MEMBERS} files.`);
    files.set(path, new Uint8Array(tar.subarray(start, start + size)));
  }
  return files;
}

function unzip(archive: Uint8Array): Buffer {
  try {
    return gunzipSync(archive, { maxOutputLength: MAX_MEMBER_BYTES });
  } catch (error) {
    const tooLarge = (error as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE";
    throw new PolicyError(tooLarge ? "too_large" : "signature_malformed", "It is the archive.");
  }
}

function pathOf(header: Buffer): string {
  const name = text(header, 0, 100);
  // Only POSIX archives have a prefix there; GNU's keep times in the same place.
  const prefix = text(header, 257, 6) === "ustar" && header[263] === 0x30 ? text(header, 345, 155) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

function text(header: Buffer, start: number, length: number): string {
  const field = header.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.subarray(0, end === -1 ? length : end).toString("utf8");
}

function octal(header: Buffer, start: number, length: number): number {
  const digits = text(header, start, length).trim();
  return /^[0-7]{1,11}$/.test(digits) ? Number.parseInt(digits, 8) : malformed();
}

// The sum is taken with spaces in its own place.
function checksum(header: Buffer): number {
  return header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0);
}

function malformed(): never {
  throw new PolicyError("signature_malformed", "It is the archive.");
}
