/**
 * Finished spans of an SDK in this process, taken structurally: SDK 1.x, 2.x and 3.x differ in a few field names, and
 * importing one of them would shut out the others.
 *
 * @module
 */
import type { AttributeBag, SpanEventView, SpanStatus, SpanView } from "../span-view.ts";
import { EMPTY_BAG, newBag } from "./attribute-bag.ts";
import { readSpanId } from "./span-ids.ts";

type HighResolutionTime = readonly [seconds: number, nanoseconds: number];

/** What is read of an SDK's span. Every SDK's `ReadableSpan` fits. */
export interface ReadableSpanLike {
  /** The span's name, as the instrumentation gave it. */
  readonly name: string;
  /** The span's ids. A span is not read when one of them is empty or zeros only. */
  spanContext(): { readonly traceId: string; readonly spanId: string };
  /** SDK 1.x. */
  readonly parentSpanId?: string | undefined;
  /** SDK 2.x and later. */
  readonly parentSpanContext?: { readonly spanId: string } | undefined;
  /** Seconds since 1970, and nanoseconds of the last one. */
  readonly startTime: HighResolutionTime;
  /** Seconds since 1970, and nanoseconds of the last one; not read while `ended` is `false`. */
  readonly endTime: HighResolutionTime;
  /** `false`: the span never ended, and has no end time. */
  readonly ended: boolean;
  /** `code` is 0 (unset), 1 (ok) or 2 (error); `message` goes with an error. */
  readonly status: { readonly code: number; readonly message?: string | undefined };
  /** Attributes by name: own, enumerable members. */
  readonly attributes: object;
  /** In the order in which they were added: policies that were bound are among them. */
  readonly events: readonly { readonly name: string; readonly attributes?: object | undefined }[];
  /** What emits the spans: its attributes by name. */
  readonly resource?: { readonly attributes?: object | undefined } | undefined;
  /** SDK 1.x. */
  readonly instrumentationLibrary?: { readonly name: string } | undefined;
  /** SDK 2.x and later. */
  readonly instrumentationScope?: { readonly name: string } | undefined;
  /** How many attributes the SDK dropped because of its limits. Absent counts as none. */
  readonly droppedAttributesCount?: number | undefined;
  /** How many events the SDK dropped because of its limits. Absent counts as none. */
  readonly droppedEventsCount?: number | undefined;
}

const STATUSES: readonly SpanStatus[] = ["unset", "ok", "error"];

/** True for an SDK's span, by its `spanContext` method. */
export function isReadableSpan(value: unknown): value is ReadableSpanLike {
  return (
    typeof value === "object" && value !== null && typeof Reflect.get(value, "spanContext") === "function"
  );
}

/** The span in the verifier's form, or `undefined` when it has no usable ids. */
export function readReadableSpan(span: ReadableSpanLike): SpanView | undefined {
  const { traceId, spanId } = span.spanContext();
  const ids = { traceId: readSpanId(traceId, 16), spanId: readSpanId(spanId, 8) };
  if (ids.traceId === undefined || ids.spanId === undefined) return undefined;
  return {
    traceId: ids.traceId,
    spanId: ids.spanId,
    parentSpanId: readSpanId(span.parentSpanContext?.spanId ?? span.parentSpanId, 8),
    name: String(span.name),
    scope: (span.instrumentationScope ?? span.instrumentationLibrary)?.name,
    resource: span.resource?.attributes === undefined ? undefined : bagOf(span.resource.attributes),
    start: timeOf(span.startTime),
    end: span.ended === false ? undefined : timeOf(span.endTime),
    status: STATUSES[span.status?.code] ?? "unset",
    statusMessage: span.status?.message,
    attributes: bagOf(span.attributes),
    events: (span.events ?? []).map(
      (event): SpanEventView => ({ name: String(event.name), attributes: bagOf(event.attributes) }),
    ),
    droppedAttributes: span.droppedAttributesCount ?? 0,
    droppedEvents: span.droppedEventsCount ?? 0,
  };
}

function bagOf(attributes: object | null | undefined): AttributeBag {
  if (attributes === null || attributes === undefined) return EMPTY_BAG;
  const bag = newBag();
  for (const [name, value] of Object.entries(attributes)) bag[name] = value;
  return bag;
}

function timeOf(time: HighResolutionTime | undefined): bigint | undefined {
  const seconds = time?.[0];
  const nanoseconds = time?.[1] ?? 0;
  if (!Number.isFinite(seconds) || !Number.isFinite(nanoseconds)) return undefined;
  const total = BigInt(Math.trunc(seconds as number)) * 1_000_000_000n + BigInt(Math.trunc(nanoseconds));
  return total > 0n ? total : undefined;
}
