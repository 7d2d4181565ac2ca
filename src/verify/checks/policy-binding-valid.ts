import { POLICY_BINDING_ATTRIBUTES, POLICY_BINDING_EVENT, type Shape } from "../../attributes/registry.ts";
import { describeShape, hasShape } from "../../attributes/shapes.ts";
import type { AttributeBag } from "../span-view.ts";
import type { Check, TellOfSpan } from "./check.ts";
import { isCut, LENGTH_LIMIT } from "./cut-value.ts";
import { showValue } from "./show-value.ts";

const ROWS: readonly (readonly [name: string, shape: Shape])[] = Object.entries(
  POLICY_BINDING_ATTRIBUTES,
).map(([name, row]) => [name, row.shape]);
const ID = "trustabl.policy.binding.id";
const MAX_EVENTS = 1_000;

/** Policy events are complete, and there is one for each policy. */
export const policyBindingValid: Check = {
  id: "policy-binding-valid",
  title: "Every policy binding is complete, and there is one for each policy",
  level: "error",
  why: "A binding says which signed file was in force; without its hash, or with one hash for several files, it proves nothing.",
  pass: "Every policy binding event has its six fields in their form, one event for each policy.",
  fail: {
    "field-missing": "A policy binding event lacks a field.",
    "field-wrong-form": "A field of a policy binding event has not its form.",
    "hash-cut": `A policy's hash is cut, so that it proves nothing: an attribute length limit is shorter than 64 characters (${LENGTH_LIMIT}).`,
    "field-cut": `A field of a policy binding event is cut: an attribute length limit is too short (${LENGTH_LIMIT}).`,
    "field-unknown": "A policy binding event has a field that is not one of the six.",
    "duplicate-policy": "Two policy binding events of a span have the same policy id.",
    "not-an-event":
      "A policy binding is written as attributes of the span; it has to be an event, one for each policy.",
    "on-tool-span": "A policy binding event stands on a tool span; it belongs on the agent's root span.",
  },
  unknown: {
    "events-dropped":
      "The SDK dropped events of the span because of its limits (OTEL_SPAN_EVENT_COUNT_LIMIT); policy bindings may be among them.",
  },
  notApplicable: "There is no policy binding.",
  fix: "Bind policies with withRun(root, ..., { policies }) or bindAuthority(root, bindings), from bindings that verifyPolicies() gave. Never write one combined hash or parallel arrays.",
  judgeSpan({ view, role, labels }, tell) {
    // Nearly every labelled span has neither.
    if (view.events.length === 0 && view.droppedEvents === 0 && (labels?.unknown.length ?? 0) === 0) return;
    const events = view.events.filter(({ name }) => name === POLICY_BINDING_EVENT).slice(0, MAX_EVENTS);
    const written = labels?.unknown.find((name) => name.startsWith(`${POLICY_BINDING_EVENT}.`));
    if (written !== undefined) tell.fail("not-an-event", { attribute: knownName(written) });
    if (events.length > 0 && role === "tool") tell.fail("on-tool-span");
    const ids = new Set<unknown>();
    for (const { attributes } of events) {
      const id = attributes[ID];
      const faults = judgeFields(attributes, tell);
      const again = hasShape({ form: "id" }, id) && ids.has(id);
      ids.add(id);
      if (again) tell.fail("duplicate-policy", { attribute: ID, observed: String(id) });
      if (faults === 0 && !again) tell.pass();
    }
    // Events are dropped oldest first, and bindings are written first.
    const bound = events.length > 0 || labels?.known?.["trustabl.run_id"] !== undefined;
    if (view.droppedEvents > 0 && bound) tell.unknown("events-dropped");
  },
};

function judgeFields(attributes: AttributeBag, tell: TellOfSpan): number {
  let faults = 0;
  for (const [name, shape] of ROWS) {
    const value = attributes[name];
    if (hasShape(shape, value)) continue;
    faults += 1;
    const missing = value === undefined || value === null;
    tell.fail(missing ? "field-missing" : faultOf(shape, value), {
      attribute: name,
      observed: showValue(shape, value),
      expected: describeShape(shape),
    });
  }
  const stranger = Object.keys(attributes).find(
    (name) => name.startsWith("trustabl.") && !Object.hasOwn(POLICY_BINDING_ATTRIBUTES, name),
  );
  if (stranger === undefined) return faults;
  tell.fail("field-unknown", { observed: `a name of ${stranger.length} characters` });
  return faults + 1;
}

function faultOf(shape: Shape, value: unknown): string {
  if (!isCut(shape, value)) return "field-wrong-form";
  return shape.form === "sha256" ? "hash-cut" : "field-cut";
}

const knownName = (name: string): string =>
  Object.hasOwn(POLICY_BINDING_ATTRIBUTES, name) ? name : `a name of ${name.length} characters`;
