/**
 * OTLP JSON in, spans out: bytes or text, in chunks of any size, with memory that does not grow with the input.
 *
 * @module
 */
import { type JsonProblemCode, JsonValues } from "./json-values.ts";
import { ByteLines, TextLines } from "./lines.ts";
import { readOtlpValue } from "./otlp-document.ts";
import type { SpanSink } from "./span-sink.ts";

/** Options of the OTLP readers. */
export interface OtlpReaderOptions {
  /** What findings call the input: a file's name. */
  readonly source?: string | undefined;
  /** Longest JSON value (one line, or one document) in characters. Default 64 Mi. */
  readonly maxValueLength?: number | undefined;
}

/** Takes an export in chunks. */
export interface OtlpReader {
  /** The next bytes (UTF-8) or characters. Use one kind for one input. */
  write(chunk: Uint8Array | string): void;
  /** The input is over. */
  end(): void;
}

const DEFAULT_MAX_VALUE_LENGTH = 67_108_864;
// OTLP itself needs about a dozen levels; nested attribute values add a few.
const MAX_DEPTH = 256;

const MESSAGES: Readonly<Record<JsonProblemCode, string>> = {
  "not-json": "this line is not JSON",
  "bad-json": "this JSON value is damaged",
  "too-deep": "this JSON value is nested too deep to be OTLP",
  "too-large": "this JSON value is larger than the limit: export JSON Lines, or raise the limit",
  "cut-off": "the input ends in the middle of the JSON value that starts here",
  "cut-last-line": "the input ends in the middle of its last line",
};

/**
 * A reader that hands spans and problems to `sink` while the input arrives.
 *
 * @example
 * ```ts
 * import { createOtlpReader, createVerifier } from "agent-reliability-otel-labels/verify";
 *
 * const verifier = createVerifier();
 * const reader = createOtlpReader(verifier, { source: "traces.jsonl" });
 * reader.write('{"resourceSpans":[]}\n');
 * reader.end();
 * console.log(verifier.finish().verdict);
 * ```
 */
export function createOtlpReader(sink: SpanSink, options: OtlpReaderOptions = {}): OtlpReader {
  const { source, maxValueLength = DEFAULT_MAX_VALUE_LENGTH } = options;
  const values = new JsonValues(
    {
      value: (value, line) => readOtlpValue(value, sink, { source, line }),
      problem: (code, line) =>
        sink.problem({
          code,
          // A file that is still being written stops in the middle of a line; all lines before it are whole.
          level: code === "cut-last-line" ? "warning" : "error",
          message: MESSAGES[code],
          source,
          line,
        }),
    },
    { maxValueLength, maxDepth: MAX_DEPTH },
  );
  const bytes = new ByteLines(values, ({ code, message }) =>
    sink.problem({ code, level: "error", message, source, line: 1 }),
  );
  const text = new TextLines(values);
  let begun: { end(): void } = bytes;
  return {
    write(chunk) {
      if (typeof chunk === "string") {
        begun = text;
        text.write(chunk);
      } else {
        bytes.write(chunk);
      }
    },
    end: () => begun.end(),
  };
}
