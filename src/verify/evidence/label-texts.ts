/**
 * The parts of a span's labels that could hold text: values of a free form, values of the wrong form, and values
 * under names that nobody knows. A fingerprint, a number or one of a closed list of words cannot.
 *
 * @module
 */
import {
  POLICY_BINDING_ATTRIBUTES,
  POLICY_BINDING_EVENT,
  type Shape,
  SPAN_ATTRIBUTES,
} from "../../attributes/registry.ts";
import { hasShape } from "../../attributes/shapes.ts";
import { shortCopy } from "../clean-text.ts";
import { leafTexts } from "../json-data.ts";
import type { SpanView } from "../span-view.ts";
import { belongsToOtherProducer, labelNames, PREFIX } from "./labels.ts";

/** One text in a label. */
export interface LabelText {
  /** The label's name; for a name that is not in the registry, a general word (the name itself may be content). */
  readonly attribute: string;
  readonly text: string;
  /**
   * - `free`: the label may hold an identifier of the application's choice
   * - `closed`: the label has a closed form, and this is not of it
   * - `other`: another producer's label
   */
  readonly place: "free" | "closed" | "other";
  /** True when it holds one of the caller's secrets. */
  readonly secret: boolean;
}

const ROWS: Readonly<Record<string, { readonly shape: Shape }>> = {
  ...SPAN_ATTRIBUTES,
  ...POLICY_BINDING_ATTRIBUTES,
};
// A label is short; what goes beyond these limits is judged by its beginning.
const MAX_LEAVES = 200;
const MAX_TEXTS = 100;
const MAX_LENGTH = 2_048;

type Add = (attribute: string, text: string, place: LabelText["place"]) => void;

/**
 * Every text in the labels and the policy events of a span.
 *
 * @param names the span's names that begin with `trustabl.`
 */
export function labelTexts(
  view: SpanView,
  names: readonly string[],
  secrets: readonly string[],
): readonly LabelText[] {
  const texts: LabelText[] = [];
  const add: Add = (attribute, text, place) => {
    const secret = secrets.some((one) => text.includes(one));
    if (secret || texts.length < MAX_TEXTS) {
      texts.push({ attribute, text: shortCopy(text, MAX_LENGTH), place, secret });
    }
  };
  for (const name of names) addTexts(name, view.attributes[name], add);
  for (const { name, attributes } of view.events) {
    // A policy event holds nothing but what belongs to it, so that all its attributes count.
    const own =
      name === POLICY_BINDING_EVENT
        ? Object.keys(attributes)
        : name.startsWith(PREFIX)
          ? labelNames(attributes)
          : [];
    for (const one of own) addTexts(one, attributes[one], add);
  }
  // A copy: an array that was pushed to keeps room for more, and there is one for each labelled span.
  return texts.slice();
}

function addTexts(name: string, value: unknown, add: Add): void {
  const row = Object.hasOwn(ROWS, name) ? ROWS[name] : undefined;
  if (row === undefined) {
    const other = belongsToOtherProducer(name);
    for (const text of leafTexts(value, MAX_LEAVES)) add(UNKNOWN_NAME, text, other ? "other" : "closed");
    if (!other) add(UNKNOWN_NAME, name, "free");
  } else if (row.shape.form === "id") {
    for (const text of typeof value === "string" ? [value] : leafTexts(value, MAX_LEAVES))
      add(name, text, "free");
  } else if (!hasShape(row.shape, value)) {
    for (const text of leafTexts(value, MAX_LEAVES)) add(name, text, "closed");
  }
}

// The name itself may be content.
const UNKNOWN_NAME = "a name outside the registry";
