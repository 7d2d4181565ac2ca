import { toolRule } from "./rule.ts";

/** A tool of any framework without a rule of its own has a description. */
export const contract003 = toolRule({
  id: "CONTRACT-003",
  title: "Tool has no description",
  severity: "medium",
  severityBecause: "The tool still runs; the model guesses when to call it and with what.",
  confidence: 0.9,
  scope: "tool",
  // The other two have rules of their own: CSDK-001 and OAI-001.
  frameworks: ["ai-sdk", "langchain", "contracts", "other"],
  appliesWhen: "When defining a tool.",
  why: "The description is what the model is shown; LangChain's `NAME tool`, which stands in for none, says nothing.",
  directive:
    "Write a description that says what the tool does, what each parameter means and what it returns.",
  found: { missing: "The description is missing, empty, blank, or only repeats the name." },
  detect: ({ hasDescription }) => (hasDescription ? undefined : { reason: "missing" }),
});
