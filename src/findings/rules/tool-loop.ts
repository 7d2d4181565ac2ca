import type { Rule } from "./rule.ts";

/** The same call again and again. */
export const toolLoop: Rule = {
  id: "tool_loop",
  title: "The agent makes the same call again and again",
  severity: "high",
  why: "The answer does not change by asking again. Loops cost money and time, and end at a step limit.",
  fires:
    "Among 5 tool calls of a run that follow one another, 3 have the same tool and the same arguments, and the side effect is not `pure`.",
  message: "Three of five calls in a row are the same call.",
  needs: ["trustabl.run_id", "trustabl.step_index", "trustabl.tool.input_fp"],
  condition: {
    kind: "repeat",
    where: [
      { field: "inputFp", there: true },
      { field: "sideEffect", not: ["pure", "none"] },
    ],
    groupBy: ["tool", "inputFp"],
    window: 5,
    count: 3,
  },
  literal: {
    condition: {
      kind: "repeat",
      where: [
        { field: "inputFp", there: true },
        { field: "sideEffect", not: ["none"] },
      ],
      groupBy: ["inputFp"],
      window: 5,
      count: 3,
    },
    difference:
      "Groups by the fingerprint alone, so that three tools called with `{}` are a loop, and knows `none` where the labels say `pure`, so that pure tools count.",
  },
  evidence: ["tool", "inputFp", "step", "sideEffect", "attempt"],
  fixClass: "policy.cap_tool",
  fix: "Cap equal calls of the tool in a run, and let its result say why asking again does not help.",
  example: "`search_flights` finds nothing, and is called with the same dates three times.",
};
