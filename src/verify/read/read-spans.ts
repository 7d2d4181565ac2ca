/**
 * Spans that are in this process: an SDK's finished spans, or spans in the verifier's own form.
 *
 * @module
 */
import type { SpanView } from "../span-view.ts";
import { isReadableSpan, type ReadableSpanLike, readReadableSpan } from "./readable-span.ts";
import type { SpanSink } from "./span-sink.ts";

/** A span that the verifier takes: an SDK's finished span, or one in the verifier's own form. */
export type SpanInput = ReadableSpanLike | SpanView;

/**
 * One span in the verifier's form; `undefined` when it is no span, has no usable ids, or cannot be read (an SDK's
 * span is somebody else's object, whose getters may throw).
 */
export function readSpan(input: unknown): SpanView | undefined {
  try {
    if (isReadableSpan(input)) return readReadableSpan(input);
    return isSpanView(input) ? input : undefined;
  } catch {
    return undefined;
  }
}

/** Hands the span on; what is no span is a problem in the sink. */
export function giveSpan(input: unknown, sink: SpanSink): void {
  const view = readSpan(input);
  if (view !== undefined) sink.span(view);
  else {
    sink.problem({
      code: "not-a-span",
      level: "error",
      message: "this is no span, or it has no usable ids",
    });
  }
}

/**
 * Hands on all that a caller gave as spans.
 *
 * @throws TypeError when it is no iterable, or a text, whose characters nobody means
 */
export function giveSpans(inputs: unknown, sink: SpanSink): void {
  if (typeof inputs !== "object" || inputs === null || !(Symbol.iterator in inputs)) {
    throw new TypeError(
      "expected spans, such as exporter.getFinishedSpans(), or what readOtlp() reads from an export",
    );
  }
  for (const input of inputs as Iterable<unknown>) giveSpan(input, sink);
}

/**
 * The spans in the verifier's form; what is no span is left out.
 *
 * @example
 * ```ts
 * import { readSpans } from "agent-reliability-otel-labels/verify";
 * import { InMemorySpanExporter } from "@opentelemetry/sdk-trace-node";
 *
 * const exporter = new InMemorySpanExporter();
 * for (const span of readSpans(exporter.getFinishedSpans())) console.log(span.name);
 * ```
 */
export function* readSpans(inputs: Iterable<unknown>): Generator<SpanView, void, undefined> {
  for (const input of inputs) {
    const view = readSpan(input);
    if (view !== undefined) yield view;
  }
}

function isSpanView(input: unknown): input is SpanView {
  if (typeof input !== "object" || input === null) return false;
  const { traceId, spanId, name, attributes, events } = input as Partial<SpanView>;
  return (
    typeof traceId === "string" &&
    typeof spanId === "string" &&
    typeof name === "string" &&
    typeof attributes === "object" &&
    attributes !== null &&
    Array.isArray(events)
  );
}
