/**
 * One span of OTLP JSON. Field names come in camel case (OTLP JSON) or snake case (protobuf tools, Python).
 *
 * @module
 */
import type { AttributeBag, SpanEventView, SpanPosition, SpanView } from "../span-view.ts";
import { readAttributes } from "./otlp-attributes.ts";
import { readCounter, readStatusCode, readTime } from "./otlp-numbers.ts";
import { readSpanId } from "./span-ids.ts";

type Fields = Readonly<Record<string, unknown>>;

const NO_EVENTS: readonly SpanEventView[] = Object.freeze([]);

/** What a span inherits from the groups around it. */
export interface SpanGroup {
  readonly scope: string | undefined;
  readonly resource: AttributeBag | undefined;
  readonly position: SpanPosition | undefined;
}

/** The span, or `undefined` when it has no usable trace id or span id. Unknown fields are ignored, as OTLP asks. */
export function readOtlpSpan(fields: Fields, group: SpanGroup): SpanView | undefined {
  const traceId = readSpanId(fields.traceId ?? fields.trace_id, 16);
  const spanId = readSpanId(fields.spanId ?? fields.span_id, 8);
  if (traceId === undefined || spanId === undefined) return undefined;
  const status = fields.status as { code?: unknown; message?: unknown } | null | undefined;
  return {
    traceId,
    spanId,
    parentSpanId: readSpanId(fields.parentSpanId ?? fields.parent_span_id, 8),
    name: textOf(fields.name) ?? "",
    scope: group.scope,
    resource: group.resource,
    start: readTime(fields.startTimeUnixNano ?? fields.start_time_unix_nano),
    end: readTime(fields.endTimeUnixNano ?? fields.end_time_unix_nano),
    status: readStatusCode(status?.code),
    statusMessage: textOf(status?.message),
    attributes: readAttributes(fields.attributes),
    events: readEvents(fields.events),
    droppedAttributes: readCounter(fields.droppedAttributesCount ?? fields.dropped_attributes_count),
    droppedEvents: readCounter(fields.droppedEventsCount ?? fields.dropped_events_count),
    position: group.position,
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function readEvents(list: unknown): readonly SpanEventView[] {
  if (!Array.isArray(list) || list.length === 0) return NO_EVENTS;
  const events: SpanEventView[] = [];
  for (const entry of list as readonly unknown[]) {
    if (typeof entry !== "object" || entry === null) continue;
    const { name, attributes } = entry as { name?: unknown; attributes?: unknown };
    events.push({ name: textOf(name) ?? "", attributes: readAttributes(attributes) });
  }
  return events;
}
