import type { Rule } from "./rule.ts";

/** Calls that the other rules cannot see. */
export const instrumentationDegraded: Rule = {
  id: "instrumentation_degraded",
  title: "Calls of a run cannot be judged",
  severity: "medium",
  why: "A call without a fingerprint or a step is invisible to the rules about loops and retries: their silence says nothing.",
  fires: "Within a run, a tool call that ran lacks `input_fp` or `step_index`. `count` says how many.",
  message: "Tool calls of a run lack a fingerprint or a step, so that the other rules do not see them.",
  needs: ["trustabl.run_id on the root span or the calls"],
  condition: { kind: "lacking", labels: ["inputFp", "step"] },
  literal: {
    condition: {
      kind: "each",
      subject: "agents",
      where: [
        { field: "agentVersion", there: true },
        { field: "step", there: false },
      ],
    },
    difference:
      "Looks for `trustabl.step_index` on agents' spans that carry `gen_ai.agent.version`. Steps stand on tool spans, so that it fires on every such agent.",
  },
  evidence: ["tool", "step", "inputFp"],
  fixClass: "instrumentation.add_emitter",
  fix: 'Wrap every tool with wrapTool() and run the agent inside withRun(); "otel-labels verify" says what is missing where.',
  example: "Three tools are wrapped, the fourth was added last week and is not.",
};
