/**
 * A whole export at once, for inputs that are in memory anyway.
 *
 * @module
 */
import type { InputProblem } from "../report.ts";
import type { SpanView } from "../span-view.ts";
import { readOtlpValue } from "./otlp-document.ts";
import { createOtlpReader, type OtlpReaderOptions } from "./otlp-reader.ts";
import type { OtherSignal, SpanSink } from "./span-sink.ts";

/** What was in an export. */
export interface OtlpContents {
  /** The spans in the order of the input. Repeated ones are all there. */
  readonly spans: readonly SpanView[];
  /** What could not be read, in the order of the input; empty when everything was. */
  readonly problems: readonly InputProblem[];
  /** Records of other signals, by signal. */
  readonly skipped: Readonly<Record<OtherSignal, number>>;
}

/**
 * Reads an export: OTLP JSON as text or UTF-8 bytes (a document, JSON Lines, several documents in a row), or a
 * value that is parsed already.
 *
 * Never throws on what the export holds: what cannot be read is in `problems`, with its line.
 *
 * @example
 * ```ts
 * import { readOtlp, verify } from "agent-reliability-otel-labels/verify";
 *
 * const { spans, problems } = readOtlp('{"resourceSpans":[]}');
 * console.log(verify(spans).verdict, problems.length);
 * ```
 */
export function readOtlp(input: string | Uint8Array | object, options: OtlpReaderOptions = {}): OtlpContents {
  const spans: SpanView[] = [];
  const problems: InputProblem[] = [];
  const skipped = { logs: 0, metrics: 0, profiles: 0 };
  const sink: SpanSink = {
    span: (view) => spans.push(view),
    problem: (problem) => problems.push(problem),
    skipped: (signal, records) => {
      skipped[signal] += records;
    },
  };
  if (typeof input === "string" || input instanceof Uint8Array) {
    const reader = createOtlpReader(sink, options);
    reader.write(input);
    reader.end();
  } else {
    readOtlpValue(input, sink, { source: options.source });
  }
  return { spans, problems, skipped };
}
