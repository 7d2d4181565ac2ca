/**
 * A trace export in OTLP JSON. Labels are written into the text: reading it and writing it anew would round 64-bit
 * numbers that stand in it as numbers.
 *
 * @module
 */
import type { Additions } from "./additions.ts";
import { applyEdits, type Edit } from "./edits.ts";
import { JsonCursor } from "./json-cursor.ts";
import { jsonAttributes, jsonEvents } from "./json-labels.ts";
import type { FoundSpan, RelayedExport } from "./relayed-export.ts";
import { type FoundGroup, foundSpan, resourceAttributes, scopeName } from "./span-facts.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Where members can be added to a list that a span has, or that it has not yet. */
interface ListPlace {
  readonly kind: "list" | "empty" | "null" | "missing";
  readonly start: number;
  readonly end: number;
}

/** Where additions to one span go. */
interface SpanPlaces {
  readonly attributes: ListPlace;
  readonly events: ListPlace;
}

/** A span that was passed over; its group is not known before the end of what is around it. */
interface RawSpan {
  readonly fields: Fields;
  readonly places: SpanPlaces | undefined;
}

// Protobuf's JSON may be written with either spelling of a name.
const RESOURCE_SPANS = new Set(["resourceSpans", "resource_spans"]);
const SCOPE_SPANS = new Set(["scopeSpans", "scope_spans"]);

/** Reads an export that `JSON.parse` has taken. */
export function readJsonExport(body: Uint8Array): RelayedExport {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const places = new Map<FoundSpan, SpanPlaces>();
  let unreadable = 0;
  const cursor = new JsonCursor(bytes);
  cursor.object((name) => {
    if (!RESOURCE_SPANS.has(name)) return cursor.skip();
    eachObject(cursor, () => {
      readResourceSpans(cursor, ({ fields, places: place }, group) => {
        const found = place && foundSpan(fields, group);
        if (found === undefined) unreadable += 1;
        else places.set(found, place as SpanPlaces);
      });
    });
  });
  return {
    spans: [...places.keys()],
    unreadable,
    write: (additions) => applyEdits(bytes, editsOf(places, additions)),
  };
}

function readResourceSpans(cursor: JsonCursor, take: (span: RawSpan, group: FoundGroup) => void): void {
  const scopes: { readonly scope: string; readonly spans: readonly RawSpan[] }[] = [];
  let resource: unknown;
  cursor.object((name) => {
    if (name === "resource") resource = cursor.value();
    else if (SCOPE_SPANS.has(name)) eachObject(cursor, () => scopes.push(readScopeSpans(cursor)));
    else cursor.skip();
  });
  const attributes = resourceAttributes(resource);
  for (const { scope, spans } of scopes) {
    for (const span of spans) take(span, { scope, resource: attributes });
  }
}

function readScopeSpans(cursor: JsonCursor): { scope: string; spans: RawSpan[] } {
  const spans: RawSpan[] = [];
  let scope: unknown;
  cursor.object((name) => {
    if (name === "scope") scope = cursor.value();
    else if (name === "spans") eachObject(cursor, () => spans.push(readSpan(cursor)));
    else cursor.skip();
  });
  return { scope: scopeName(scope), spans };
}

function readSpan(cursor: JsonCursor): RawSpan {
  const start = cursor.at;
  const lists = new Map<string, ListPlace | undefined>();
  cursor.object((name) => {
    if (name !== "attributes" && name !== "events") return cursor.skip();
    const place = listPlace(cursor);
    // Of two lists with one name, readers differ in which they take.
    lists.set(name, lists.has(name) ? undefined : place);
  });
  const missing: ListPlace = { kind: "missing", start: start + 1, end: start + 1 };
  const [attributes, events] = ["attributes", "events"].map((name) =>
    lists.has(name) ? lists.get(name) : missing,
  );
  return {
    fields: cursor.parsed(start) as Fields,
    places: attributes && events && { attributes, events },
  };
}

function listPlace(cursor: JsonCursor): ListPlace | undefined {
  const start = cursor.at;
  if (!cursor.opensList) {
    const { isNull } = cursor;
    cursor.skip();
    return isNull ? { kind: "null", start, end: cursor.at } : undefined;
  }
  let empty = true;
  cursor.list(() => {
    empty = false;
    cursor.skip();
  });
  const close = cursor.at - 1;
  return { kind: empty ? "empty" : "list", start: close, end: close };
}

function eachObject(cursor: JsonCursor, visit: () => void): void {
  if (cursor.opensList) cursor.list(() => (cursor.opensObject ? visit() : cursor.skip()));
  else cursor.skip();
}

function editsOf(
  places: ReadonlyMap<FoundSpan, SpanPlaces>,
  additions: ReadonlyMap<FoundSpan, Additions>,
): Edit[] {
  return [...additions].flatMap(([found, addition]) => {
    const { attributes, events } = places.get(found) as SpanPlaces;
    return [
      ...listEdit("attributes", attributes, jsonAttributes(addition)),
      ...listEdit("events", events, jsonEvents(addition)),
    ];
  });
}

function listEdit(name: string, { kind, start, end }: ListPlace, members: string): Edit[] {
  if (members === "") return [];
  const text = {
    list: `,${members}`,
    empty: members,
    null: `[${members}]`,
    // A span that is labelled has ids: there is always another member behind it.
    missing: `"${name}":[${members}],`,
  }[kind];
  return [{ start, end, bytes: Buffer.from(text) }];
}
