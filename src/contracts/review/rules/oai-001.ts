import { toolRule } from "./rule.ts";

/** A tool of the OpenAI Agents SDK has a description. */
export const oai001 = toolRule({
  id: "OAI-001",
  title: "OpenAI Agents tool has no description",
  severity: "low",
  severityBecause:
    "A strict schema still keeps the arguments in form; what is lost is when to call the tool.",
  confidence: 0.9,
  scope: "tool",
  frameworks: ["openai-agents"],
  appliesWhen:
    "When defining a tool with tool(), or turning an agent into one with asTool(), in the OpenAI Agents SDK.",
  why: "The description is what the model is shown; without one it cannot know what the tool is for.",
  directive: "Set `description` of every tool(), and `toolDescription` of every asTool().",
  found: { missing: "The description is missing, empty or blank." },
  detect: ({ hasDescription }) => (hasDescription ? undefined : { reason: "missing" }),
});
