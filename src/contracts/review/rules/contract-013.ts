import { isPlainObject } from "../schema/plain-copy.ts";
import { toolRule } from "./rule.ts";

/** At least one field is required. */
export const contract013 = toolRule({
  id: "CONTRACT-013",
  title: "Tool input requires nothing",
  severity: "low",
  severityBecause: "A call without arguments may be meant; most often it is a field that was forgotten.",
  confidence: 0.6,
  scope: "tool",
  frameworks: undefined,
  appliesWhen: "When writing a tool's input schema.",
  why: "A call without what it needs does half of something; refused, it is made again with the rest.",
  directive: "List in `required` what the tool cannot do its work without.",
  found: { nothing: "The input has fields, and requires none of them." },
  detect({ input }) {
    const { properties, required } = input?.root ?? {};
    const hasFields = isPlainObject(properties) && Object.keys(properties).length > 0;
    const requires = Array.isArray(required) && required.length > 0;
    return hasFields && !requires ? { reason: "nothing" } : undefined;
  },
});
