/**
 * Spans and span processors as the harness needs them, structurally: those of the SDKs 1.30, 2.x and 3.x all fit, and no
 * SDK is imported.
 *
 * @module
 */
import type { ReadableSpanLike } from "../../verify/read/readable-span.ts";

/** A span of an SDK, finished or not. */
export interface RecordedSpan extends ReadableSpanLike {
  /** What the span carries so far, by name: the framework's attributes and the labels. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A span processor, any. */
export interface SpanProcessorLike {
  /** A span has started; `parentContext` is the context that it was started in. */
  onStart(span: never, parentContext: never): void;
  /** A span is about to end and can still be written on. Older SDKs do not call it. */
  onEnding?(span: never): void;
  /** A span has ended, and does not change any more. */
  onEnd(span: never): void;
  /** Resolves when what was taken in by now has left. */
  forceFlush(): Promise<void>;
  /** Resolves when everything has left; nothing is taken after it. */
  shutdown(): Promise<void>;
}
