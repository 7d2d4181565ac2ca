/**
 * Every text that was written on a span: by this package, or by anybody.
 *
 * @module
 */
import { POLICY_BINDING_ATTRIBUTES, SPAN_ATTRIBUTES } from "../../attributes/registry.ts";
import { leafTexts } from "../../verify/json-data.ts";
import type { RecordedSpan } from "../recording/span-types.ts";

/** One text, and words for where it stands. */
export interface WrittenText {
  readonly text: string;
  readonly place: string;
}

const PREFIX = "trustabl.";
/** Parts of one value looked at. */
const MAX_LEAVES = 10_000;

/**
 * The texts of a span: its labels and our events only, or everything that is exported of it.
 *
 * @param showName makes other people's names fit for a message
 */
export function* writtenTexts(
  span: RecordedSpan,
  everything: boolean,
  showName: (name: string) => string,
): Generator<WrittenText> {
  const on = `of the span ${showName(span.name)} (span ${span.spanContext().spanId})`;
  const bagTexts = (attributes: object, prefix: string, of: string) =>
    textsIn(attributes, prefix, of, showName);
  yield* bagTexts(span.attributes, everything ? "" : PREFIX, on);
  for (const event of span.events) {
    const ours = event.name.startsWith(PREFIX);
    if (!ours && !everything) continue;
    yield { text: event.name, place: `the name of an event ${on}` };
    yield* bagTexts(event.attributes ?? {}, "", `of an event ${on}`);
  }
  if (!everything) return;
  yield { text: span.name, place: `the name ${on}` };
  yield { text: span.status.message ?? "", place: `the status ${on}` };
  yield* bagTexts(span.resource?.attributes ?? {}, "", `of the resource ${on}`);
  for (const link of (span as { links?: readonly { attributes?: object }[] }).links ?? []) {
    yield* bagTexts(link.attributes ?? {}, "", `of a link ${on}`);
  }
}

function* textsIn(
  attributes: object,
  prefix: string,
  on: string,
  showName: (name: string) => string,
): Generator<WrittenText> {
  for (const [name, value] of Object.entries(attributes)) {
    if (!name.startsWith(prefix)) continue;
    const place = `${isRegistered(name) ? name : `the attribute ${showName(name)}`} ${on}`;
    yield { text: name, place: `the name of an attribute ${on}` };
    for (const text of textsOf(value)) yield { text, place };
  }
}

const isRegistered = (name: string): boolean =>
  Object.hasOwn(SPAN_ATTRIBUTES, name) || Object.hasOwn(POLICY_BINDING_ATTRIBUTES, name);

function textsOf(value: unknown): string[] {
  if (value instanceof Uint8Array) return [Buffer.from(value).toString("latin1")];
  return leafTexts(value, MAX_LEAVES);
}
