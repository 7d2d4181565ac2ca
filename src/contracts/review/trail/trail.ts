/**
 * The trail: which findings are open, and which were repaired. A JSON document that is kept beside the code, so that a
 * finding that comes back is known as one.
 *
 * @module
 */

/** One finding of the trail. Holds names only, nothing of a definition. */
export interface TrailEntry {
  /** Id of the rule, such as `CSDK-101`. */
  readonly rule: string;
  /** 16 hexadecimal characters, as in the finding. */
  readonly fingerprint: string;
  /** For people who read the file. */
  readonly subject: string;
}

/** The document. */
export interface Trail {
  /** Version of the document's form. Another one is not read. */
  readonly version: 1;
  /** Findings of the latest review of their definitions. */
  readonly open: readonly TrailEntry[];
  /** Findings that were open, and were gone when their definitions were reviewed again. */
  readonly repaired: readonly TrailEntry[];
}

/** Where a trail begins. */
export const EMPTY_TRAIL: Trail = Object.freeze({
  version: 1,
  open: Object.freeze([]),
  repaired: Object.freeze([]),
});

/** Entries of each list that are kept; the oldest repairs go first. */
export const MOST_ENTRIES = 10_000;

/** What says that two findings are the same. */
export const keyOf = ({ rule, fingerprint }: Pick<TrailEntry, "rule" | "fingerprint">): string =>
  `${rule} ${fingerprint}`;
