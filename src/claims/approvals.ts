/**
 * Approvals: which reviews a person has agreed to. Each is for one call, by its id and the digest of its arguments, and
 * can be used once.
 *
 * @module
 */
import { type Digest, digestIfAny } from "./digest.ts";

/** One call, as the model made it: the claim is still in the arguments. */
export interface ApprovableCall {
  readonly tool: string;
  /** The id that the model or the framework gave the call. */
  readonly callId: string | undefined;
  readonly arguments: unknown;
  /** Whose call it is, where ids may repeat between users or conversations. */
  readonly session: string | undefined;
}

/**
 * Where approvals are kept between the review and the call. The default is in memory, which is enough where the same
 * process goes on; give one of your own where another does. `take` has to be atomic: it answers `true` once.
 */
export interface ApprovalStore {
  /** Keeps an approval. A store that cannot throws or rejects, as `approve` does then; the call stays one to review. */
  put(key: Digest): void | Promise<void>;
  /** Whether an approval is there; it stays there. */
  has(key: Digest): boolean | Promise<boolean>;
  /** Whether an approval was there; it is gone then. Anything but `true` is none. */
  take(key: Digest): boolean | Promise<boolean>;
}

/**
 * The key of an approval: this tool, this call, these arguments, claim included. A call that was changed after it was
 * approved has another key.
 *
 * @returns `undefined` for a call without an id, or whose arguments are no JSON value: it cannot be approved
 */
export function approvalKey({ tool, callId, arguments: args, session }: ApprovableCall): Digest | undefined {
  return callId === undefined || callId === "" || args === undefined
    ? undefined
    : digestIfAny({ tool, callId, arguments: args, session: session ?? null });
}

/** Approvals kept in memory. Past the bound the oldest are forgotten, and their calls reviewed again. */
export function memoryApprovals(maxEntries = 10_000): ApprovalStore {
  const keys = new Set<Digest>();
  return {
    put: (key) => {
      keys.delete(key);
      keys.add(key);
      for (const oldest of keys) {
        if (keys.size <= maxEntries) break;
        keys.delete(oldest);
      }
    },
    has: (key) => keys.has(key),
    take: (key) => keys.delete(key),
  };
}
