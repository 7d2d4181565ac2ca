/**
 * One change of a registry, and which way it goes.
 *
 * @module
 */
import type { JsonValue } from "../schema.ts";

/**
 * - `loosening`: something is allowed, or left unchecked, that was not
 * - `tightening`: something is refused, or checked, that was not
 * - `neutral`: the same calls are allowed
 */
export type ChangeKind = "loosening" | "tightening" | "neutral";

/** One difference between two registries of contracts. */
export interface Change {
  /** Name of the tool. */
  readonly tool: string;
  /** JSON pointer (RFC 6901) into the contract; empty for the contract itself. */
  readonly place: string;
  /** Which way the change goes: whether calls are allowed that were not, or refused. */
  readonly kind: ChangeKind;
  /** What changed, in words. */
  readonly what: string;
  /** The part before; left out where there was none. */
  readonly before?: JsonValue;
  /** The part after; left out where there is none. */
  readonly after?: JsonValue;
}

/** Notes a change of one contract. */
export type Note = (
  kind: ChangeKind,
  place: string,
  what: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
) => void;
