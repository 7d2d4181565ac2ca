import { toolRule } from "./rule.ts";

/** A tool of the Claude Agent SDK has a description. */
export const csdk001 = toolRule({
  id: "CSDK-001",
  title: "Claude tool has no description",
  severity: "medium",
  severityBecause: "The tool still runs; the model guesses when to call it and with what.",
  confidence: 0.9,
  scope: "tool",
  frameworks: ["claude-agent-sdk"],
  appliesWhen: "When defining a tool with tool() of the Claude Agent SDK.",
  why: "The description is the only thing the model reads about a tool besides its name and its schema.",
  directive:
    "Give tool() a description that says what the tool does, what each parameter means and what it returns.",
  found: { missing: "The description is missing, empty or blank." },
  detect: ({ hasDescription }) => (hasDescription ? undefined : { reason: "missing" }),
});
