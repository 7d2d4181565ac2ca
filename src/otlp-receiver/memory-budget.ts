/**
 * What all requests together may hold in memory. A limit for each alone is none at all against many at once.
 *
 * @module
 */
import { Refusal } from "./refusal.ts";

/** One request's share: what it took is given back at once, when it is answered. */
export interface MemoryBudget {
  /** @throws {Refusal} `overloaded` */
  take(bytes: number): void;
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
      giveBack() {
        held -= own;
        own = 0;
      },
    };
  };
}
