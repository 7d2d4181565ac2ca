/**
 * The hash that a binding for a file would have. Nothing is verified.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { basename, dirname } from "node:path";
import { DEFAULT_MAX_BYTES, PolicyFolder } from "./files/policy-folder.ts";
import { asPolicyError } from "./verify-policy.ts";

/**
 * SHA-256 of a file, read under the same rules as a policy file: 64 lower-case hexadecimal characters. For comparing
 * with what an enforcer or an exported span says; it is no proof of anything.
 *
 * @param maxBytes largest file that is read, in bytes; 1 MiB when left out
 * @throws PolicyError `unreadable`, `outside_folder`, `too_large`
 */
export async function hashPolicyFile(file: string, maxBytes: number = DEFAULT_MAX_BYTES): Promise<string> {
  return asPolicyError(async () => {
    const folder = await PolicyFolder.at(dirname(file));
    const bytes = await folder.read(basename(file), "the policy file", maxBytes);
    return createHash("sha256").update(bytes).digest("hex");
  });
}
