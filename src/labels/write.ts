/**
 * The guarded writer: the only place of this package that touches a span. It writes names of the registry only,
 * with values of the right form only, and nothing that a span does reaches the caller.
 *
 * Nothing here starts a span, ends one or sets a status: spans belong to the framework.
 *
 * @module
 */
import {
  POLICY_BINDING_EVENT,
  type PolicyBindingAttributeName,
  SPAN_ATTRIBUTES,
  type SpanAttributeName,
} from "../attributes/registry.ts";
import { describeShape, hasShape } from "../attributes/shapes.ts";
import { reportLoss } from "./diagnostics.ts";
import { reportPushedOut, reportUnkeptAttribute, reportUnkeptEvent } from "./kept.ts";
import { type AttributeValue, isUsable, type LabelSpan, readAttributes } from "./span.ts";

/** Writes one label. `undefined` means that there is nothing to say. */
export function writeLabel(
  span: LabelSpan,
  label: SpanAttributeName,
  value: AttributeValue | undefined,
): void {
  if (value === undefined) return;
  const { shape } = SPAN_ATTRIBUTES[label];
  if (!hasShape(shape, value)) {
    reportLoss(label, "shape", `expected ${describeShape(shape)}`);
    return;
  }
  guardedSet(span, label, value);
}

function guardedSet(span: LabelSpan, name: string, value: AttributeValue): void {
  try {
    span.setAttribute(name, value);
  } catch {
    reportLoss(name, "span", "the span's setAttribute threw");
    return;
  }
  reportUnkeptAttribute(span, name, value);
}

/** Copies to `span` what this file wrote on a span that only kept it. A span that does not record any more loses it. */
export function copyAttribute(span: LabelSpan, name: string, value: AttributeValue): void {
  if (isUsable(span)) guardedSet(span, name, value);
  else reportLoss(name, "ended", "the span ended before the label was known");
}

/** {@link copyAttribute} for an event. */
export function copyEvent(
  span: LabelSpan,
  name: string,
  attributes: Readonly<Record<string, AttributeValue>>,
): void {
  if (isUsable(span)) guardedAdd(span, name, attributes);
  else reportLoss(name, "ended", "the span ended before the event was known");
}

/** The values of one policy binding, already validated. */
export type BindingValues = Readonly<Record<PolicyBindingAttributeName, string | boolean>>;

/** Writes one policy binding event for each. */
export function writeBindings(span: LabelSpan, bindings: readonly BindingValues[]): void {
  for (const values of bindings) guardedAdd(span, POLICY_BINDING_EVENT, values);
  reportPushedOut(span, POLICY_BINDING_EVENT, bindings.length);
}

function guardedAdd(
  span: LabelSpan,
  name: string,
  attributes: Readonly<Record<string, AttributeValue>>,
): void {
  try {
    span.addEvent(name, { ...attributes });
  } catch {
    reportLoss(name, "span", "the span's addEvent threw");
    return;
  }
  reportUnkeptEvent(span, name, attributes);
}

const TOOL_NAME = "gen_ai.tool.name";

/**
 * Fills `gen_ai.tool.name` where it can be seen to be absent. Where the span's attributes cannot be read it is left
 * alone: overwriting the framework's own name would be worse than not having it.
 */
export function fillToolName(span: LabelSpan, name: unknown): void {
  if (typeof name !== "string" || name === "") return;
  try {
    const attributes = readAttributes(span);
    if (attributes !== undefined && attributes[TOOL_NAME] === undefined) guardedSet(span, TOOL_NAME, name);
  } catch {
    // Other people's getters.
  }
}
