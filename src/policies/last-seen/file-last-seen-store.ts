/**
 * The last-seen store in one JSON file.
 *
 * @module
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { hasShape } from "../../attributes/shapes.ts";
import { isRecord } from "../config-reader.ts";
import { PolicyError } from "../policy-error.ts";
import { acquireLock } from "./file-lock.ts";
import type { LastSeen, LastSeenStore } from "./last-seen.ts";
import { versionNumbers } from "./version-order.ts";

/** Options of {@link FileLastSeenStore}. */
export interface FileLastSeenStoreOptions {
  /** How long to wait for other processes, in milliseconds. 5,000 when left out. */
  readonly patience?: number;
  /**
   * Refuse a file that is not there. Otherwise a missing file is a first start, and whoever can delete the file can
   * make it one. Set it once the file exists.
   */
  readonly mustExist?: boolean;
}

const DEFAULT_PATIENCE = 5_000;

/**
 * Keeps the last seen versions in a JSON file, `{ "policies": { ID: { "version", "sha256" } } }`.
 *
 * An update is all there or not there at all: the new content goes to a file beside it, to the disk, and then in
 * the old one's place. Processes take turns by a lock file (`PATH.lock`); one that a crash left behind is removed.
 * A damaged file is refused and never started anew. The folder must be on a disk that only this deployment writes.
 *
 * @example
 * ```ts
 * import { FileLastSeenStore, loadPolicies } from "agent-reliability-otel-labels/policies";
 *
 * const lastSeen = new FileLastSeenStore("/var/lib/agent/last-seen.json");
 * const policies = await loadPolicies("policies.json", { lastSeen });
 * ```
 */
export class FileLastSeenStore implements LastSeenStore {
  readonly #path: string;
  readonly #patience: number;
  readonly #mustExist: boolean;

  /**
   * Touches no file yet.
   *
   * @param path of the JSON file. It and a lock file beside it are made by the first update, in a folder that has to be there
   */
  constructor(path: string, options: FileLastSeenStoreOptions = {}) {
    this.#path = path;
    this.#patience = options.patience ?? DEFAULT_PATIENCE;
    this.#mustExist = options.mustExist ?? false;
  }

  /** @throws PolicyError `store_busy`, `store_unusable`, and what `next` throws */
  async update(policyId: string, next: (last: LastSeen | undefined) => LastSeen): Promise<void> {
    const lock = await acquireLock(`${this.#path}.lock`, this.#patience).catch(unusable);
    if (lock === undefined) throw new PolicyError("store_busy");
    try {
      const policies = this.#read();
      const last = policies.get(policyId);
      const seen = next(last);
      if (last?.version === seen.version && last.sha256 === seen.sha256) return;
      policies.set(policyId, { version: seen.version, sha256: seen.sha256 });
      // From here to the end nothing waits, so only a process that is stopped as a whole can lose its lock after this.
      if (!lock.isHeld()) throw new PolicyError("store_busy");
      this.#write(policies);
    } finally {
      lock.release();
    }
  }

  #read(): Map<string, LastSeen> {
    let text: string;
    try {
      text = readFileSync(this.#path, "utf8");
    } catch (error) {
      if ((error as { code?: unknown }).code === "ENOENT" && !this.#mustExist) return new Map();
      return unusable();
    }
    return parseStore(text);
  }

  #write(policies: ReadonlyMap<string, LastSeen>): void {
    // One name is enough: the lock is held, and what a crash left under this name is worth nothing.
    const fresh = `${this.#path}.new`;
    try {
      rmSync(fresh, { force: true });
      const file = openSync(fresh, "wx", 0o600);
      try {
        writeFileSync(file, `${JSON.stringify({ policies: Object.fromEntries(policies) }, null, 2)}\n`);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(fresh, this.#path);
    } catch {
      unusable();
    }
    syncFolder(dirname(this.#path));
  }
}

function parseStore(text: string): Map<string, LastSeen> {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return unusable();
  }
  const policies = isRecord(document) ? document.policies : undefined;
  if (!isRecord(policies)) return unusable();
  return new Map(
    Object.entries(policies).map(([id, seen]) => {
      const { version, sha256 } = isRecord(seen) ? seen : {};
      const sound = typeof version === "string" && versionNumbers(version) !== undefined;
      if (!sound || !hasShape({ form: "sha256" }, sha256)) return unusable();
      return [id, { version, sha256: sha256 as string }];
    }),
  );
}

// The new name is on the disk only when the folder is. Windows cannot open folders, and needs no such call.
function syncFolder(path: string): void {
  try {
    const folder = openSync(path, "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {
    // The update itself is done. At worst a power cut brings the previous version back.
  }
}

function unusable(): never {
  throw new PolicyError("store_unusable");
}
