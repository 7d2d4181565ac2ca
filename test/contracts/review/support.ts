import { type Finding, type ReviewOptions, reviewDefinitions } from "../../../src/contracts/review/index.ts";

/** A tool as plain data, with nothing to find. */
export const plainTool = (changes: object = {}) => ({
  name: "rerun_job",
  description: "Runs one failed CI job again.",
  input_schema: {
    type: "object",
    additionalProperties: false,
    required: ["job_id"],
    properties: { job_id: { type: "string", maxLength: 12 } },
  },
  ...changes,
});

/** The same tool with these properties, the first of them required. */
export const toolWith = (properties: Record<string, unknown>, changes: object = {}) =>
  plainTool({
    input_schema: {
      type: "object",
      additionalProperties: false,
      required: Object.keys(properties).slice(0, 1),
      properties,
      ...changes,
    },
  });

/** A tool of the Claude Agent SDK, in the form that its `tool()` gives. */
export const claudeTool = (changes: object = {}) => ({
  name: "rerun_job",
  description: "Runs one failed CI job again.",
  inputSchema: {},
  handler: async () => ({ content: [] }),
  ...changes,
});

/** A function tool of OpenAI Agents. */
export const openaiTool = (changes: object = {}) => ({
  type: "function",
  name: "rerun_job",
  description: "Runs one failed CI job again.",
  parameters: plainTool().input_schema,
  strict: true,
  invoke: async () => "",
  needsApproval: async () => false,
  ...changes,
});

export const openaiAgent = (changes: object = {}) => ({
  name: "triage",
  instructions: "…",
  handoffs: [],
  tools: [],
  mcpServers: [],
  ...changes,
});

/** A contract, as its JSON. */
export const contract = (changes: object = {}) => ({
  description: "Runs one failed CI job again.",
  input: plainTool().input_schema,
  confirm: true,
  sensitive: false,
  sideEffect: "write",
  ...changes,
});

export const findingsOf = (definition: unknown, options?: ReviewOptions): readonly Finding[] =>
  reviewDefinitions(definition, options).findings;

/** Ids of the rules that fire. */
export const rulesFor = (definition: unknown): string[] => findingsOf(definition).map(({ rule }) => rule);
