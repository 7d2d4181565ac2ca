/**
 * Protection against going back: a policy that was replaced stays authentic for ever, so somebody must remember
 * which version came last.
 *
 * @module
 */
import { PolicyError } from "../policy-error.ts";
import { compareVersions, versionNumbers } from "./version-order.ts";

/** The latest version of a policy that was verified. */
export interface LastSeen {
  /**
   * The policy's version, which has an order: `7`, `v3.10.0`, `2026-11-30`. A lower one is refused, and so is the same with
   * another file.
   */
  readonly version: string;
  /** SHA-256 of its file. */
  readonly sha256: string;
}

/** Where the latest versions are kept: a file ({@link FileLastSeenStore}), or a database of yours. */
export interface LastSeenStore {
  /**
   * Calls `next` with what is stored for a policy and stores what it returns, with no other update of the same
   * policy in between, in this process or another. When `next` throws, nothing is stored and the error is passed on.
   * When the stored value cannot be read, this rejects: starting anew would accept any old version.
   */
  update(policyId: string, next: (last: LastSeen | undefined) => LastSeen): Promise<void>;
}

/**
 * Compares a verified policy with the last one seen and remembers it.
 *
 * @throws PolicyError `version_unordered`, `rolled_back`, `version_reused`, `store_unusable`, `store_busy`
 */
export async function advance(store: LastSeenStore, policyId: string, seen: LastSeen): Promise<void> {
  try {
    await store.update(policyId, (last) => {
      mustNotGoBack(last, seen);
      return seen;
    });
  } catch (error) {
    // The store of a user throws errors of its own. Which file or server they name is not ours to pass on.
    throw error instanceof PolicyError ? error : new PolicyError("store_unusable");
  }
}

function mustNotGoBack(last: LastSeen | undefined, seen: LastSeen): void {
  const now = versionNumbers(seen.version);
  if (now === undefined) throw new PolicyError("version_unordered");
  if (last === undefined) return;
  const before = versionNumbers(last.version);
  if (before === undefined) throw new PolicyError("store_unusable");
  const order = compareVersions(now, before);
  if (order < 0) throw new PolicyError("rolled_back");
  // Where the version is not signed, this is what tells an old file under the new version's name.
  if (order === 0 && seen.sha256 !== last.sha256) throw new PolicyError("version_reused");
}
