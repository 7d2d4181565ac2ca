/**
 * Files that a signed list names: each is read once and must have the hash that was signed.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { PolicyFolder } from "./files/policy-folder.ts";
import { PolicyError } from "./policy-error.ts";

/** One file of a signed list. */
export interface ListedMember {
  /** Path below the policy file's folder, with `/`. */
  readonly path: string;
  readonly algorithm: "sha256" | "sha384" | "sha512";
  /** Lower-case hexadecimal. */
  readonly hash: string;
}

/** Most files that belong to one policy. */
export const MAX_MEMBERS = 1024;
/** Most bytes that the files of one policy hold together: 16 MiB. */
export const MAX_MEMBER_BYTES: number = 16 * 1024 * 1024;

/**
 * Reads the listed files and compares their hashes.
 *
 * @throws PolicyError `member_mismatch`, `unreadable`, `outside_folder`, `too_large`
 */
export async function readMembers(
  folder: PolicyFolder,
  listed: readonly ListedMember[],
): Promise<Map<string, Uint8Array>> {
  if (listed.length > MAX_MEMBERS) throw new PolicyError("too_large", `The limit is ${MAX_MEMBERS} members.`);
  const members = new Map<string, Uint8Array>();
  for (const member of listed) {
    if (!isPlainPath(member.path) || members.has(member.path)) {
      throw new PolicyError("member_mismatch", "A listed path is not plain, or is listed twice.");
    }
    mustHaveHash(member, await readMember(folder, member.path, members));
  }
  return members;
}

/** Reads one more member into `members`, within the limit of all together. */
export async function readMember(
  folder: PolicyFolder,
  path: string,
  members: Map<string, Uint8Array>,
): Promise<Uint8Array> {
  let total = 0;
  for (const { length } of members.values()) total += length;
  const bytes = await folder.read(path, "a member of the policy", MAX_MEMBER_BYTES - total);
  members.set(path, bytes);
  return bytes;
}

/** @throws PolicyError `member_mismatch` */
export function mustHaveHash({ algorithm, hash }: ListedMember, content: Uint8Array | string): void {
  if (createHash(algorithm).update(content).digest("hex") !== hash) throw new PolicyError("member_mismatch");
}

/** A relative path without `.`, `..`, empty steps, backslashes or drive letters: one spelling per file. */
export function isPlainPath(path: string): boolean {
  return path.length <= 1024 && path.split("/").every((step) => /^(?!\.{1,2}$)[^\\:\0]+$/.test(step));
}
