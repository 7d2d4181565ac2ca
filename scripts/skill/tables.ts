/** What the skill takes from the registry, the conventions and the checks. */
import { CONVENTIONS, type ConventionId } from "../../src/attributes/conventions.ts";
import { type AttributeDescription, DESCRIPTIONS } from "../../src/attributes/descriptions.ts";
import {
  type AttributeRow,
  POLICY_BINDING_ATTRIBUTES,
  SPAN_ATTRIBUTES,
} from "../../src/attributes/registry.ts";
import { describeShape } from "../../src/attributes/shapes.ts";
import { CHECKS } from "../../src/verify/checks/index.ts";

const rows = (attributes: Record<string, AttributeRow>) =>
  Object.entries(attributes).map(
    ([name, row]) =>
      [name, { ...row, ...(DESCRIPTIONS as Record<string, AttributeDescription>)[name]! }] as const,
  );

/** Rows of the table of labels. */
export const labelsTable = (): string =>
  rows(SPAN_ATTRIBUTES)
    .map(
      ([name, row]) =>
        `| \`${name}\` | ${row.on.join(", ")} | ${row.when} | ${value(row)} | ${row.meaning} |`,
    )
    .join("\n");

/** Rows of the table of the policy event's attributes. */
export const policyTable = (): string =>
  rows(POLICY_BINDING_ATTRIBUTES)
    .map(([name, row]) => `| \`${name}\` | ${value(row)} | ${row.meaning} |`)
    .join("\n");

function value({ shape }: AttributeRow): string {
  return shape.form === "enum" ? shape.values.map((one) => `\`${one}\``).join(", ") : describeShape(shape);
}

/** What each value of a label means, for those that somebody has to choose. */
export const valuesText = (): string =>
  rows(SPAN_ATTRIBUTES)
    .filter(([, { shape }]) => shape.form === "enum")
    .map(([name, row]) => `**\`${name}\`**, ${row.when}:\n\n${meanings(name, row)}`)
    .join("\n\n");

const MEANINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "trustabl.exit_reason": {
    final_answer: "the run ended by itself",
    max_steps: "a cap on steps ended a run that still wanted to call tools",
    policy_stop: "a policy ended it",
    error: "the run threw",
  },
  "trustabl.tool.side_effect": {
    pure: "reads and writes nothing outside; the same arguments give the same result",
    read: "looks at something outside, and changes nothing",
    write: "changes something outside that can be changed back",
    irreversible: "cannot be taken back: a message, a payment, a deletion",
  },
  "trustabl.tool.error_class": {
    timeout: "no answer in time",
    "4xx": "the other side refused the request",
    "5xx": "the other side failed",
    empty: "it worked, and found nothing",
    schema: "arguments or result had not the form that they should have",
    auth: "not allowed: who is calling, or what they may do",
  },
};

function meanings(name: string, { shape }: AttributeRow): string {
  if (shape.form !== "enum") return "";
  return shape.values
    .map((one) => {
      const meaning = MEANINGS[name]?.[one];
      if (meaning === undefined) throw new Error(`scripts/skill/tables.ts says nothing about ${name} ${one}`);
      return `- \`${one}\`: ${meaning}`;
    })
    .join("\n");
}

const EXAMPLES: readonly { readonly convention: ConventionId; readonly look: string }[] = [
  {
    convention: "gen_ai",
    look: "`gen_ai.operation.name` is `execute_tool` on a tool span and `invoke_agent` on an agent's (AI SDK 7, Google ADK, Strands, VoltAgent)",
  },
  {
    convention: "ai-sdk",
    look: "the span is called `ai.toolCall` (AI SDK 4 to 6), below `ai.generateText` or `ai.streamText`",
  },
  {
    convention: "openinference",
    look: "`openinference.span.kind` is `TOOL` or `AGENT` (OpenInference for OpenAI Agents, LangChain, Claude Agent SDK)",
  },
  {
    convention: "traceloop",
    look: "`traceloop.span.kind` is `tool`, and `agent` or `workflow` (OpenLLMetry)",
  },
  { convention: "langfuse", look: "`langfuse.observation.type` is `tool` or `agent` (Langfuse)" },
  { convention: "mastra", look: "`mastra.span.type` is `tool_call` or `agent_run` (Mastra)" },
];

/** How tool and agent spans are recognised, by the conventions that are met most. */
export const conventionsText = (): string => {
  const listed = EXAMPLES.map(({ look }) => `- ${look}`);
  const others = CONVENTIONS.map(({ id }) => id).filter(
    (id) => !EXAMPLES.some(({ convention }) => convention === id),
  );
  return `${listed.join("\n")}\n- also known: ${others.map((id) => `\`${id}\``).join(", ")}`;
};

/** Each check: what holds, and what to do where it does not. */
export const checksTable = (): string =>
  [
    "| check | holds when | to put it right |",
    "| --- | --- | --- |",
    ...CHECKS.map(({ id, title, fix }) => `| \`${id}\` | ${title} | ${fix.replaceAll("|", "\\|")} |`),
  ].join("\n");
