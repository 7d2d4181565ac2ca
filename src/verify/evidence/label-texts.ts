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
import type { AttributeBag, SpanView } from "../span-view.ts";
import { belongsToOtherProducer, PREFIX } from "./labels.ts";

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

/** Every text in the labels and the policy events of a span. */
export function labelTexts(view: SpanView, secrets: readonly string[]): LabelText[] {
  const texts: LabelText[] = [];
  const add = (attribute: string, text: string, place: LabelText["place"]): void => {
    const secret = secrets.some((one) => text.includes(one));
    if (secret || texts.length < MAX_TEXTS) {
      texts.push({ attribute, text: shortCopy(text, MAX_LENGTH), place, secret });
    }
  };
  collect(view.attributes, PREFIX, add);
  for (const event of view.events) {
    if (event.name === POLICY_BINDING_EVENT) collect(event.attributes, "", add);
    else if (event.name.startsWith(PREFIX)) collect(event.attributes, PREFIX, add);
  }
  return texts;
}

function collect(
  attributes: AttributeBag,
  prefix: string,
  add: (attribute: string, text: string, place: LabelText["place"]) => void,
): void {
  for (const name in attributes) {
    if (!name.startsWith(prefix)) continue;
    const value = attributes[name];
    const row = Object.hasOwn(ROWS, name) ? ROWS[name] : undefined;
    if (row !== undefined && row.shape.form !== "id" && hasShape(row.shape, value)) continue;
    const place = row?.shape.form === "id" ? "free" : belongsToOtherProducer(name) ? "other" : "closed";
    const attribute = row === undefined ? "a name outside the registry" : name;
    for (const text of leafTexts(value, MAX_LEAVES)) add(attribute, text, place);
    if (row === undefined && place !== "other") add(attribute, name, "free");
  }
}
