/**
 * A trace export in protobuf. A label goes to the end of its span's message; the lengths in front of that message and
 * of those around it are written anew, and nothing else is.
 *
 * @module
 */
import { WIRE_TYPE, WireReader } from "../../otlp-receiver/protobuf/wire-reader.ts";
import { varint } from "../../otlp-receiver/protobuf/wire-writer.ts";
import type { Additions } from "./additions.ts";
import { applyEdits, type Edit } from "./edits.ts";
import { protobufAdditions } from "./protobuf-labels.ts";
import type { FoundSpan, RelayedExport } from "./relayed-export.ts";
import { foundSpan, resourceAttributes, scopeName } from "./span-facts.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A message inside another: from `lengthAt` its length, from `start` its bytes. */
interface Part {
  readonly lengthAt: number;
  readonly start: number;
  readonly end: number;
  readonly parts: readonly Part[];
}

// Of a request its ResourceSpans, of those the ScopeSpans, of those the Spans.
const FIELD_NUMBERS = [1, 2, 2] as const;

/**
 * Reads an export.
 *
 * @param request the same bytes, decoded: its lists have the members that are found here, in the same order
 */
export function readProtobufExport(body: Uint8Array, request: Fields): RelayedExport {
  const parts = partsOf(new WireReader(body), 0);
  const places = new Map<FoundSpan, Part>();
  let unreadable = 0;
  for (const [part, resourceSpans] of paired(parts, request.resourceSpans)) {
    const resource = resourceAttributes(resourceSpans.resource);
    for (const [scopePart, scopeSpans] of paired(part.parts, resourceSpans.scopeSpans)) {
      const group = { scope: scopeName(scopeSpans.scope), resource };
      for (const [place, fields] of paired(scopePart.parts, scopeSpans.spans)) {
        const found = foundSpan(fields, group);
        if (found === undefined) unreadable += 1;
        else places.set(found, place);
      }
    }
  }
  return {
    spans: [...places.keys()],
    unreadable,
    write: (additions) => write(body, parts, places, additions),
  };
}

function partsOf(reader: WireReader, level: number): Part[] {
  const found: Part[] = [];
  while (!reader.done) {
    const tag = reader.tag();
    if (tag >>> 3 !== FIELD_NUMBERS[level] || (tag & 7) !== WIRE_TYPE.delimited) {
      reader.skip(tag & 7);
      continue;
    }
    const lengthAt = reader.offset;
    if (level === FIELD_NUMBERS.length - 1) {
      const start = reader.delimited();
      found.push({ lengthAt, start, end: reader.offset, parts: [] });
      continue;
    }
    const around = reader.enter();
    const start = reader.offset;
    const parts = partsOf(reader, level + 1);
    found.push({ lengthAt, start, end: reader.offset, parts });
    reader.leave(around);
  }
  return found;
}

function* paired(parts: readonly Part[], list: unknown): Generator<readonly [Part, Fields]> {
  const members = (list ?? []) as readonly Fields[];
  // Both come from one reader. Were that ever untrue, a label could land on a neighbour.
  if (members.length !== parts.length) throw new Error("two readings of one export differ");
  for (const [index, part] of parts.entries()) yield [part, members[index] as Fields];
}

function write(
  body: Uint8Array,
  parts: readonly Part[],
  places: ReadonlyMap<FoundSpan, Part>,
  additions: ReadonlyMap<FoundSpan, Additions>,
): Uint8Array {
  const added = new Map<Part, Uint8Array>();
  for (const [found, addition] of additions) {
    added.set(places.get(found) as Part, protobufAdditions(addition));
  }
  const edits: Edit[] = [];
  for (const part of parts) grow(part, added, edits);
  return applyEdits(body, edits);
}

/** Adds the edits of a part; returns by how much it grew, its length included. */
function grow(part: Part, added: ReadonlyMap<Part, Uint8Array>, edits: Edit[]): number {
  const bytes = added.get(part);
  if (bytes !== undefined) edits.push({ start: part.end, end: part.end, bytes });
  let growth = bytes?.length ?? 0;
  for (const inner of part.parts) growth += grow(inner, added, edits);
  if (growth === 0) return 0;
  const length = varint(part.end - part.start + growth);
  edits.push({ start: part.lengthAt, end: part.start, bytes: length });
  return growth + length.length - (part.start - part.lengthAt);
}
