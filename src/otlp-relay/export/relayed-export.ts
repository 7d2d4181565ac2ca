/**
 * An export whose spans can be looked at and added to, whichever encoding it is in.
 *
 * @module
 */
import type { AttributeBag } from "../../verify/span-view.ts";
import type { RelayedSpan } from "../relayed-span.ts";
import type { Additions } from "./additions.ts";

/** A span of an export. */
export interface FoundSpan {
  readonly span: RelayedSpan;
  /** Every attribute that it has, also those that `span` does not show. */
  readonly present: AttributeBag;
}

/** An export that was read. */
export interface RelayedExport {
  /** The spans that can be told apart. */
  readonly spans: readonly FoundSpan[];
  /** Spans without usable ids or with lists that are none: forwarded as they are, and never labelled. */
  readonly unreadable: number;
  /** The export with what is to be added; the bytes that came in where there is nothing. */
  write(additions: ReadonlyMap<FoundSpan, Additions>): Uint8Array;
}
