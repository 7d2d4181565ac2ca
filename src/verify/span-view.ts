/**
 * One finished span as the verifier sees it, whichever SDK or file it came from.
 *
 * @module
 */

/**
 * Attributes by name. Objects without a prototype, so that a name such as `__proto__` or `constructor` is data like
 * any other.
 */
export type AttributeBag = Readonly<Record<string, unknown>>;

/** Where a span was read. */
export interface SpanPosition {
  /** The file's name, or what else the caller called the input. */
  readonly source?: string | undefined;
  /** Line on which the span's JSON value starts, from 1. */
  readonly line?: number | undefined;
}

/** One event of a span. */
export interface SpanEventView {
  /** The event's name, as the instrumentation gave it. */
  readonly name: string;
  /** Attributes of the event, of the same kinds as a span's. */
  readonly attributes: AttributeBag;
}

/** How the instrumentation said that the span's work went. It is often wrong: see `failureOf`. */
export type SpanStatus = "unset" | "ok" | "error";

/** One finished span. */
export interface SpanView {
  /** 32 lower-case hexadecimal characters; an id of another form is kept as it came. */
  readonly traceId: string;
  /** 16 lower-case hexadecimal characters; an id of another form is kept as it came. */
  readonly spanId: string;
  /** Missing for the first span of a trace. */
  readonly parentSpanId?: string | undefined;
  /** The span's name, as the instrumentation gave it: neither shortened nor cleaned. */
  readonly name: string;
  /** Name of the instrumentation scope. */
  readonly scope?: string | undefined;
  /** Attributes of the resource. */
  readonly resource?: AttributeBag | undefined;
  /** Nanoseconds since 1970; missing when the input has no usable time. */
  readonly start?: bigint | undefined;
  /** Nanoseconds since 1970; missing when the span never ended. */
  readonly end?: bigint | undefined;
  /** `unset` also for a status that is none of the three. */
  readonly status: SpanStatus;
  /** What the instrumentation says about an error. Read, and never shown. */
  readonly statusMessage?: string | undefined;
  /** Strings, numbers, booleans, `null`, arrays, nested bags, bytes; integers beyond 2^53 are bigints. */
  readonly attributes: AttributeBag;
  /** In the order in which they were added: policies that were bound are among them. */
  readonly events: readonly SpanEventView[];
  /** How many attributes the SDK dropped because of its limits. */
  readonly droppedAttributes: number;
  /** How many events the SDK dropped because of its limits. */
  readonly droppedEvents: number;
  /** Where it was read; missing for spans that came from memory. */
  readonly position?: SpanPosition | undefined;
}
