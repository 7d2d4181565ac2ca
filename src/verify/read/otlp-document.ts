/**
 * One JSON value of an export, taken apart into spans. OTLP JSON is a family rather than a format: every exporter,
 * collector and query interface wraps the same spans a little differently.
 *
 * @module
 */
import type { AttributeBag, SpanPosition } from "../span-view.ts";
import { FOREIGN_FORMATS } from "./foreign-format.ts";
import { readAttributes } from "./otlp-attributes.ts";
import { readOtlpSpan } from "./otlp-span.ts";
import type { OtherSignal, SpanSink } from "./span-sink.ts";

type Fields = Readonly<Record<string, unknown>>;

const RESOURCE_SPANS = ["resourceSpans", "resource_spans", "batches"] as const;
const SCOPE_SPANS = [
  "scopeSpans",
  "scope_spans",
  "instrumentationLibrarySpans",
  "instrumentation_library_spans",
  "ilSpans",
] as const;
const OTHER_SIGNALS: readonly (readonly [name: string, signal: OtherSignal])[] = [
  ["resourceLogs", "logs"],
  ["resource_logs", "logs"],
  ["scopeLogs", "logs"],
  ["logRecords", "logs"],
  ["resourceMetrics", "metrics"],
  ["resource_metrics", "metrics"],
  ["scopeMetrics", "metrics"],
  ["resourceProfiles", "profiles"],
  ["resource_profiles", "profiles"],
];

/** Arrays inside arrays around the spans that are still looked into. */
const MAX_NESTING = 4;

/**
 * Reads one JSON value: a whole export, one of its groups, a single span, or an array of any of these. What it is not
 * is a problem in the sink, never an exception.
 */
export function readOtlpValue(value: unknown, sink: SpanSink, position?: SpanPosition): void {
  readValue(value, { sink, position }, 0);
}

interface Reading {
  readonly sink: SpanSink;
  readonly position: SpanPosition | undefined;
}

function readValue(value: unknown, reading: Reading, nesting: number): void {
  if (Array.isArray(value) && nesting < MAX_NESTING) {
    for (const element of value as readonly unknown[]) readValue(element, reading, nesting + 1);
  } else if (isFields(value)) {
    readFields(value, reading, nesting);
  } else {
    report(reading, "not-otlp", "this JSON value is not an object, so it holds no spans");
  }
}

function readFields(value: Fields, reading: Reading, nesting: number): void {
  const wrapper = RESOURCE_SPANS.find((name) => name in value);
  const foreign = FOREIGN_FORMATS.find((format) => format.recognise(value));
  const other = OTHER_SIGNALS.find(([name]) => name in value);
  if (wrapper !== undefined) {
    eachIn(value[wrapper], reading, wrapper, readResourceSpans);
  } else if (SCOPE_SPANS.some((name) => name in value)) {
    readResourceSpans(value, reading);
  } else if (foreign !== undefined) {
    report(reading, foreign.code, foreign.message);
  } else if ("spans" in value) {
    readScopeSpans(value, reading, undefined);
  } else if ("spanId" in value || "span_id" in value) {
    readSpan(value, reading, undefined, undefined);
  } else if (isFields(value.trace) && nesting < MAX_NESTING) {
    // Tempo's second query interface puts the export one level down.
    readFields(value.trace, reading, nesting + 1);
  } else if (other !== undefined) {
    const records = value[other[0]];
    reading.sink.skipped(other[1], Array.isArray(records) ? records.length : 1);
  } else if (Object.keys(value).length > 0) {
    // An empty object is an export without spans.
    report(reading, "not-otlp", "this JSON object holds no resourceSpans, no spans and no other OTLP signal");
  }
}

function readResourceSpans(group: Fields, reading: Reading): void {
  const resource = isFields(group.resource) ? readAttributes(group.resource.attributes) : undefined;
  for (const name of SCOPE_SPANS) {
    if (name in group) {
      eachIn(group[name], reading, name, (scopeSpans) => readScopeSpans(scopeSpans, reading, resource));
    }
  }
}

function readScopeSpans(group: Fields, reading: Reading, resource: AttributeBag | undefined): void {
  const scope = group.scope ?? group.instrumentationLibrary ?? group.instrumentation_library;
  const name = isFields(scope) && typeof scope.name === "string" ? scope.name : undefined;
  eachIn(group.spans, reading, "spans", (span) => readSpan(span, reading, name, resource));
}

function readSpan(
  fields: Fields,
  reading: Reading,
  scope: string | undefined,
  resource: AttributeBag | undefined,
): void {
  const view = readOtlpSpan(fields, { scope, resource, position: reading.position });
  if (view === undefined) {
    report(reading, "span-without-ids", "a span has no usable trace id or span id");
  } else {
    reading.sink.span(view);
  }
}

// A group that is left out or null is an empty one; anything else that is not a list of objects is reported.
function eachIn(
  list: unknown,
  reading: Reading,
  name: string,
  read: (member: Fields, reading: Reading) => void,
): void {
  if (list === undefined || list === null) return;
  const members: readonly unknown[] = Array.isArray(list) ? list : [list];
  for (const member of members) {
    if (isFields(member) && Array.isArray(list)) read(member, reading);
    else report(reading, "malformed-otlp", `"${name}" is not a list of objects`);
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function report(reading: Reading, code: string, message: string): void {
  reading.sink.problem({
    code,
    level: "error",
    message,
    source: reading.position?.source,
    line: reading.position?.line,
  });
}
