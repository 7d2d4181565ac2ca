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
  readonly name: string;
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
  readonly name: string;
  /** Name of the instrumentation scope. */
  readonly scope?: string | undefined;
  /** Attributes of the resource. */
  readonly resource?: AttributeBag | undefined;
  /** Nanoseconds since 1970; missing when the input has no usable time. */
  readonly start?: bigint | undefined;
  /** Nanoseconds since 1970; missing when the span never ended. */
  readonly end?: bigint | undefined;
  readonly status: SpanStatus;
  readonly statusMessage?: string | undefined;
  /** Strings, numbers, booleans, `null`, arrays, nested bags, bytes; integers beyond 2^53 are bigints. */
  readonly attributes: AttributeBag;
  readonly events: readonly SpanEventView[];
  /** How many attributes the SDK dropped because of its limits. */
  readonly droppedAttributes: number;
  /** How many events the SDK dropped because of its limits. */
  readonly droppedEvents: number;
  readonly position?: SpanPosition | undefined;
}
