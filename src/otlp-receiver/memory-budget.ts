/**
 * What all requests together may hold in memory. A limit for each alone is none at all against many at once.
 *
 * @module
 */
import { Refusal } from "./refusal.ts";

/** One request's share, for as long as it is worked on. */
export interface MemoryBudget {
  /** @throws {Refusal} `overloaded` */
  take(bytes: number): void;
  /** Gives back what is over this; nothing when it took less. */
  shrink(bytes: number): void;
  giveBack(): void;
}

/** Makes the shares of one receiver. */
export function createMemoryBudgets(limit: number): () => MemoryBudget {
  let held = 0;
  return () => {
    let own = 0;
    return {
      take(bytes) {
        if (held + bytes > limit) throw new Refusal("overloaded");
        held += bytes;
        own += bytes;
      },
      shrink(bytes) {
        const rest = Math.min(own, bytes);
        held -= own - rest;
        own = rest;
      },
      giveBack() {
        held -= own;
        own = 0;
      },
    };
  };
}
