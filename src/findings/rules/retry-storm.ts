import type { Rule } from "./rule.ts";

/** The fourth attempt of a call. */
export const retryStorm: Rule = {
  id: "retry_storm",
  title: "A call is tried for the fourth time",
  severity: "high",
  why: "Retries on top of retries turn one slow service into an outage, and one bill into four.",
  fires: "A call's `attempt` is 4 or more. Attempts of one call (run, tool, arguments) are one finding.",
  message: "A call was tried four times or more.",
  needs: ["trustabl.tool.attempt"],
  condition: {
    kind: "each",
    subject: "calls",
    where: [{ field: "attempt", atLeast: 4 }],
    groupBy: ["tool", "inputFp"],
  },
  literal: {
    condition: { kind: "each", subject: "calls", where: [{ field: "attempt", atLeast: 4 }] },
    difference: "Every attempt from the fourth on is a finding of its own.",
  },
  evidence: ["tool", "inputFp", "attempt", "errorClass", "step"],
  fixClass: "policy.cap_retries",
  fix: "Retry in one layer only, with a cap and a growing pause; give the model an error that says not to try again.",
  example: "`get_weather` times out; the framework retries, the model asks again, and the attempt is 4.",
};
