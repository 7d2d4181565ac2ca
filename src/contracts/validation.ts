/**
 * The answer of a validation: the arguments, copied, or what was expected of them. Never the arguments that were refused.
 *
 * @module
 */

/** What is wrong at one place. Holds nothing that the caller sent. */
export interface Problem {
  /** JSON pointer (RFC 6901) to the place, of names that the contract declares and indices; empty for the arguments. */
  readonly path: string;
  /** What the place broke: a keyword of the schema, or `json`, `tool`, `confirm`, `limit`. */
  readonly keyword: string;
  /** What is allowed there, in words. */
  readonly expected: string;
}

/** The contract allows the call. */
export interface Accepted<Value> {
  readonly ok: true;
  /** A copy that shares nothing with what was sent. */
  readonly value: Value;
}

/** The contract does not allow the call. Holds nothing that the caller sent. */
export interface Refused {
  readonly ok: false;
  /** The first problems, at most 20. */
  readonly problems: readonly Problem[];
  /** For the model: which field, and what is allowed. */
  readonly message: string;
}

/** What a contract says of a call: narrow it by `ok`. */
export type Validation<Value = unknown> = Accepted<Value> | Refused;

/** How arguments are read before they are held against the contract. */
export interface ValidationOptions {
  /** Fill in the `default` of members that are missing. Default `false`. */
  readonly applyDefaults?: boolean | undefined;
  /**
   * Take `null` for an optional member as if it was missing, unless its schema allows `null`. OpenAI's strict mode has no
   * other way to leave a member out. Default `true`.
   */
  readonly nullIsMissing?: boolean | undefined;
}
