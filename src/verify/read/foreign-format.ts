/**
 * Trace formats that look like OTLP JSON to a person and are not. They are named and refused, with what to export
 * instead: reading them half would give a verdict on spans whose labels were lost on the way.
 *
 * @module
 */

type Fields = Readonly<Record<string, unknown>>;

/** A format that is refused. */
export interface ForeignFormat {
  /** Stable name; the problem's code. */
  readonly code: string;
  readonly message: string;
  readonly recognise: (value: Fields) => boolean;
}

const has = (value: unknown, ...names: readonly string[]): boolean =>
  typeof value === "object" && value !== null && names.every((name) => Object.hasOwn(value, name));

const first = (value: unknown): unknown =>
  Array.isArray(value) ? (value as readonly unknown[])[0] : undefined;

/** Every format that is refused, first match first. */
export const FOREIGN_FORMATS: readonly ForeignFormat[] = [
  {
    code: "jaeger-json",
    message:
      "this is Jaeger JSON, not OTLP: export OTLP JSON with the collector's file exporter, or ask Jaeger for it at /api/v3/traces/{id}",
    recognise: (value) =>
      has(value, "traceID", "spans") || has(value, "traceID", "spanID") || has(first(value.data), "traceID"),
  },
  {
    code: "zipkin-json",
    message: "this is Zipkin JSON, not OTLP: export OTLP JSON with the collector's file exporter instead",
    recognise: (value) =>
      has(value, "traceId", "id") &&
      !has(value, "spanId") &&
      ["timestamp", "duration", "localEndpoint", "annotations", "tags"].some((name) => has(value, name)),
  },
  {
    code: "go-stdout-json",
    message:
      "this is the output of Go's stdouttrace exporter, not OTLP: use the OTLP exporter (otlptracehttp), or the collector's file exporter",
    recognise: (value) => has(value, "SpanContext") && has(value.SpanContext, "TraceID"),
  },
  {
    code: "python-console-json",
    message:
      "this is the output of Python's ConsoleSpanExporter, not OTLP: use OTLPSpanExporter, or the collector's file exporter",
    recognise: (value) => has(value, "context", "parent_id") && has(value.context, "trace_id", "span_id"),
  },
];
