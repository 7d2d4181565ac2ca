import {
  POLICY_BINDING_EVENT,
  type Shape,
  SPAN_ATTRIBUTES,
  type SpanAttributeName,
} from "../../attributes/registry.ts";
import { describeShape } from "../../attributes/shapes.ts";
import { belongsToOtherProducer } from "../evidence/labels.ts";
import type { Check, TellOfSpan } from "./check.ts";
import { isCut, LENGTH_LIMIT } from "./cut-value.ts";
import { showValue } from "./show-value.ts";

const MAX_UNKNOWN_NAMES = 20;

/** Every label has a name of the registry and a value of the form that goes with it. */
export const labelValuesValid: Check = {
  id: "label-values-valid",
  title: "Every label has a known name and a value of its form",
  level: "error",
  why: "Queries and rules match names and values exactly; a value of another form is silently left out.",
  pass: "Every label has a known name and a value of its form.",
  fail: {
    "wrong-form": "A label's value has not the form that its name asks for.",
    truncated: `A label's value is cut: an attribute length limit is too short (${LENGTH_LIMIT}).`,
    "unknown-name": "A name that begins with trustabl. is not one of the contract.",
    "unknown-event": "An event whose name begins with trustabl. is not one of the contract.",
  },
  unknown: {},
  notApplicable: "There is no label.",
  fix: "Write labels with the functions of this package, which refuse wrong values. The names and values are listed in docs/attributes.md.",
  judgeSpan({ view, labels }, tell) {
    const events = view.events.length === 0 ? 0 : view.events.filter(isUnknownEvent).length;
    if (labels === undefined && events === 0) return;
    let faults = events;
    if (events > 0) tell.fail("unknown-event", { expected: POLICY_BINDING_EVENT });
    for (const name in labels?.known) {
      // `null` stands for a value of the wrong form.
      if (labels.known[name as SpanAttributeName] !== null) continue;
      faults += 1;
      tellForm(name, SPAN_ATTRIBUTES[name as SpanAttributeName].shape, view.attributes[name], tell);
    }
    // A binding written as attributes is for another check; names of other producers are for none.
    const strangers = (labels?.unknown ?? []).filter(
      (name) => !belongsToOtherProducer(name) && !name.startsWith(`${POLICY_BINDING_EVENT}.`),
    );
    for (const name of strangers.slice(0, MAX_UNKNOWN_NAMES)) {
      tell.fail("unknown-name", { attribute: showName(name), expected: "a name of docs/attributes.md" });
    }
    if (faults + strangers.length === 0) tell.pass();
  },
};

const isUnknownEvent = ({ name }: { readonly name: string }): boolean =>
  name.startsWith("trustabl.") && name !== POLICY_BINDING_EVENT;

function tellForm(name: string, shape: Shape, value: unknown, tell: TellOfSpan): void {
  tell.fail(isCut(shape, value) ? "truncated" : "wrong-form", {
    attribute: name,
    observed: showValue(shape, value),
    expected: describeShape(shape),
  });
}

// A name can be content as well as a value can; names as programmers write them are shown.
const showName = (name: string): string =>
  /^trustabl(?:\.[a-z][a-z_]{0,23}){1,4}$/.test(name) ? name : `a name of ${name.length} characters`;
