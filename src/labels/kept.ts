/**
 * Looking at what a span's limits left of a label that was just written. SDKs drop and cut without a word: a label that
 * is missing would look like a tool that is not wrapped, and a hash that is cut like one that somebody made up.
 *
 * It speaks only where the span shows both the fault and that a limit made it. A span that shows nothing of itself, or
 * other attributes than were written, is left alone.
 *
 * @module
 */
import { report, reportLoss } from "./diagnostics.ts";
import { type AttributeValue, type LabelSpan, readAttributes } from "./span.ts";

const COUNT = "the span has as many attributes as its limit allows (OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT)";
const EVENTS = "the span's limit of events leaves no room (OTEL_SPAN_EVENT_COUNT_LIMIT)";
const PER_EVENT =
  "an event of the span has room for fewer attributes (OTEL_SPAN_ATTRIBUTE_PER_EVENT_COUNT_LIMIT)";

/** What SDKs show of a span besides its attributes. */
interface ShownSpan {
  readonly droppedAttributesCount?: unknown;
  readonly events?: unknown;
  readonly droppedEventsCount?: unknown;
}

interface ShownEvent {
  readonly name?: unknown;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** Says so when a limit dropped or cut the attribute. Never throws. */
export function reportUnkeptAttribute(span: LabelSpan, name: string, value: AttributeValue): void {
  const attributes = readAttributes(span);
  if (attributes === undefined) return;
  try {
    const kept = attributes[name];
    if (kept === value) return;
    const { droppedAttributesCount } = span as ShownSpan;
    if (kept === undefined && isSome(droppedAttributesCount)) reportLoss(name, "limit", COUNT);
    else reportCut(name, kept, value);
  } catch {
    // Other people's getters.
  }
}

/** Says so when a limit dropped the event that was just added, or dropped or cut something in it. Never throws. */
export function reportUnkeptEvent(
  span: LabelSpan,
  name: string,
  attributes: Readonly<Record<string, AttributeValue>>,
): void {
  try {
    const { events, droppedEventsCount } = span as ShownSpan;
    if (!Array.isArray(events)) return;
    const last = events.at(-1) as ShownEvent | undefined;
    if (last?.name !== name) {
      if (isSome(droppedEventsCount)) reportLoss(name, "limit", EVENTS);
      return;
    }
    const kept = last.attributes ?? {};
    for (const [field, value] of Object.entries(attributes)) {
      if (kept[field] === undefined) reportLoss(field, "limit", PER_EVENT);
      else reportCut(field, kept[field], value);
    }
  } catch {
    // Other people's getters.
  }
}

/**
 * Says so when fewer of the events are left than were added: each that comes to a full span pushes the oldest out. Never
 * throws.
 */
export function reportPushedOut(span: LabelSpan, name: string, added: number): void {
  try {
    const { events, droppedEventsCount } = span as ShownSpan;
    if (!Array.isArray(events) || !isSome(droppedEventsCount)) return;
    const left = events.filter((event: ShownEvent) => event.name === name).length;
    if (left < added) reportLoss(name, "pushed out", `${EVENTS}: ${left} of ${added} are left`);
  } catch {
    // Other people's getters.
  }
}

function reportCut(name: string, kept: unknown, value: AttributeValue): void {
  if (typeof kept !== "string" || typeof value !== "string") return;
  if (kept.length >= value.length || !value.startsWith(kept)) return;
  report(
    "cut",
    name,
    () =>
      `${name} was cut to ${kept.length} of ${value.length} characters: the span's limit is shorter (OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT)`,
  );
}

const isSome = (count: unknown): boolean => typeof count === "number" && count > 0;
