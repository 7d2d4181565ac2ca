/**
 * A span as a relay sees it, and what may be added to it.
 *
 * @module
 */

/** An attribute's value as it arrived. 64-bit integers that a number cannot hold are decimal text. */
export type RelayedValue = string | number | boolean | readonly (string | number | boolean)[];

/** Attributes by name. Maps, bytes and mixed lists are not shown; they are forwarded all the same. */
export type RelayedAttributes = Readonly<Record<string, RelayedValue>>;

/** A span as it arrived. */
export interface RelayedSpan {
  /** 32 lower-case hexadecimal characters. */
  readonly traceId: string;
  /** 16 lower-case hexadecimal characters. */
  readonly spanId: string;
  /** 16 lower-case hexadecimal characters; `undefined` for the first span of a trace. */
  readonly parentSpanId: string | undefined;
  /** The span's name as it came, of any length. */
  readonly name: string;
  /** Name of the instrumentation scope; empty when it has none. */
  readonly scope: string;
  /** The span's own attributes. */
  readonly attributes: RelayedAttributes;
  /** Attributes of the resource. */
  readonly resource: RelayedAttributes;
}

/** An event to add to a span. */
export interface RelayedEvent {
  /** The event's name, such as `trustabl.policy.binding`. */
  readonly name: string;
  /** Nanoseconds since 1970. */
  readonly timeUnixNano: bigint;
  /** Attributes of the event, by name. Whole numbers are sent as integers. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

/** What to add to a span. An attribute that the span has already is never overwritten. */
export interface RelayedLabels {
  /** Attributes by name. Whole numbers are sent as integers, lists of texts as arrays. */
  readonly attributes: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** Added after the events that the span has; empty for none. */
  readonly events: readonly RelayedEvent[];
}
