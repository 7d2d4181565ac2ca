/**
 * Members that differ between two calls that are the same: times, ids of the request, cursors. They are left out
 * of a fingerprint at every depth.
 *
 * @module
 */
import { MemberOrders } from "./member-order.ts";

/**
 * The list that every language of this contract shares. A key is volatile when it equals one of these after
 * lower-casing; never by containing one.
 */
export const VOLATILE_KEYS: readonly string[] = Object.freeze([
  "timestamp",
  "ts",
  "_ts",
  "created_at",
  "updated_at",
  "sent_at",
  "received_at",
  "request_id",
  "requestid",
  "req_id",
  "trace_id",
  "traceid",
  "span_id",
  "spanid",
  "correlation_id",
  "nonce",
  "uuid",
  "guid",
  "cursor",
  "page_token",
  "next_page_token",
  "continuation_token",
  "idempotency_key",
]);

/** A prepared list: lower-cased once, asked per key. */
export class VolatileKeys {
  /** The orders of members that this list leads to. */
  readonly orders: MemberOrders = new MemberOrders(this);
  readonly #names: ReadonlySet<string>;

  constructor(names: readonly string[]) {
    this.#names = new Set(names);
  }

  /** True when the member with this key is left out. */
  has(key: string): boolean {
    // Full Unicode lower-casing: the Kelvin sign is a k. No shortcut by first letter or length finds it.
    return this.#names.has(key.toLowerCase());
  }
}

const shared = new VolatileKeys(VOLATILE_KEYS);

/**
 * Prepares a list of keys that replaces the shared one; `undefined` is the shared one.
 *
 * @throws {RangeError} when `keys` is not an iterable of strings. A single string is refused too: its
 * characters would be taken for keys.
 */
export function prepareVolatileKeys(keys?: Iterable<string>): VolatileKeys {
  if (keys === undefined || keys === null) return shared;
  if (typeof keys !== "object" || typeof keys[Symbol.iterator] !== "function") return refuseKeys();
  return new VolatileKeys(
    Array.from(keys, (key) => (typeof key === "string" ? key.toLowerCase() : refuseKeys())),
  );
}

function refuseKeys(): never {
  throw new RangeError("volatileKeys must be an iterable of strings");
}
