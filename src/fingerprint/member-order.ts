/**
 * The members of an object as they stand in the text: without the volatile ones, in order of UTF-16 code units,
 * each with the text before its value.
 *
 * @module
 */
import { refuse } from "./refusal.ts";
import { stringText } from "./scalars.ts";
import type { VolatileKeys } from "./volatile-keys.ts";

/** What follows from a list of keys and a list of volatile keys alone. Never changes. */
export interface MemberOrder {
  /** The keys in the object's own order. */
  readonly keys: readonly string[];
  /** The keys that stay, sorted. */
  readonly sorted: readonly string[];
  /** What stands before each value: `{"key":` for the first, `,"key":` for the others. */
  readonly before: readonly string[];
  /** The same before a string, with its quotation mark: one concatenation less for the most frequent value. */
  readonly beforeString: readonly string[];
}

const SLOTS = 256;
// Characters of all keys of an entry, so that the memory has a bound. An object with more is a table, whose keys do
// not come again.
const MAX_KEYS_LENGTH = 1_024;

/**
 * Remembers the orders of key lists that were seen before. Records of one list and calls of one tool have the same
 * keys, and sorting and quoting them is a third of the work.
 *
 * An entry is the answer to a pure question and the whole question is compared, so nothing that passes through can
 * make a later answer wrong.
 */
export class MemberOrders {
  readonly #volatile: VolatileKeys;
  readonly #slots: (MemberOrder | undefined)[] = new Array(SLOTS).fill(undefined);

  constructor(volatile: VolatileKeys) {
    this.#volatile = volatile;
  }

  /** @throws {Refusal} for a key with an unpaired surrogate */
  of(keys: readonly string[]): MemberOrder {
    if (keys.length === 0) return orderOf(keys, this.#volatile);
    const slot = slotOf(keys);
    const found = this.#slots[slot];
    if (found !== undefined && equal(found.keys, keys)) return found;
    const order = orderOf(keys, this.#volatile);
    if (lengthOf(keys) <= MAX_KEYS_LENGTH) this.#slots[slot] = order;
    return order;
  }
}

function orderOf(keys: readonly string[], volatile: VolatileKeys): MemberOrder {
  const sorted = keys.filter((key) => !volatile.has(key)).sort();
  const before = sorted.map((key, index) => {
    if (!key.isWellFormed()) refuse("unpaired_surrogate", undefined, keys.indexOf(key));
    return `${index === 0 ? "{" : ","}${stringText(key)}:`;
  });
  return { keys, sorted, before, beforeString: before.map((text) => `${text}"`) };
}

// First and last key are enough to tell most objects apart; a wrong guess is found by the comparison.
function slotOf(keys: readonly string[]): number {
  const first = keys[0]!;
  const last = keys[keys.length - 1]!;
  const mixed =
    keys.length * 31 + first.length * 7 + last.length * 13 + first.charCodeAt(0) * 3 + last.charCodeAt(0);
  return mixed & (SLOTS - 1);
}

function equal(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false;
  for (let index = 0; index < some.length; index++) if (some[index] !== others[index]) return false;
  return true;
}

function lengthOf(keys: readonly string[]): number {
  return keys.reduce((length, key) => length + key.length, 0);
}
