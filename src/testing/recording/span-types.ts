/**
 * Spans and span processors as the harness needs them, structurally: those of the SDKs 1.30, 2.x and 3.x all fit, and no
 * SDK is imported.
 *
 * @module
 */
import type { ReadableSpanLike } from "../../verify/read/readable-span.ts";

/** A span of an SDK, finished or not. */
export interface RecordedSpan extends ReadableSpanLike {
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A span processor, any. */
export interface SpanProcessorLike {
  onStart(span: never, parentContext: never): void;
  onEnding?(span: never): void;
  onEnd(span: never): void;
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}
