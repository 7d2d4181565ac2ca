import { describe, expect, it } from "vitest";
import { labelTools as aiTools } from "../../src/adapters/ai-sdk.ts";
import { labelTools as adkTools } from "../../src/adapters/google-adk.ts";
import { labelTools as langChainTools } from "../../src/adapters/langchain.ts";
import { labelDelegation, labelTools as mastraTools } from "../../src/adapters/mastra.ts";
import { labelServer } from "../../src/adapters/mcp.ts";
import {
  labelTool as agentsTool,
  labelTools as agentsTools,
  labelRunner,
} from "../../src/adapters/openai-agents.ts";
import { labelTools as strandsTools } from "../../src/adapters/strands.ts";
import { sdk2 } from "../support/sdks-here.ts";
import { inSpan, labelsOf, useTracing } from "../support/tracing.ts";

const tracing = useTracing(sdk2);

const key = new Uint8Array(32).fill(7);
const execute = async ({ q }: { q: string }) => [q];

describe("the fingerprint option, in definitions that adapters take", () => {
  it("is followed", async () => {
    const tools = aiTools(
      { shown: { execute }, hidden: { execute }, half: { execute } },
      { hidden: { fingerprint: "off" }, half: { fingerprint: { key, result: "off" } } },
    );
    for (const [name, tool] of Object.entries(tools)) {
      await inSpan(tracing.tracer, "ai.toolCall", { "ai.toolCall.name": name }, () =>
        tool.execute({ q: "a" }),
      );
    }
    const [shown, hidden, half] = tracing.finished().map(labelsOf);
    expect(Object.keys(shown ?? {})).toEqual(["trustabl.tool.input_fp", "trustabl.tool.output_fp"]);
    expect(hidden).toEqual({});
    expect(half).toEqual({
      "trustabl.tool.input_fp": expect.not.stringMatching(String(shown?.["trustabl.tool.input_fp"])),
    });
  });

  // The types are the test, as much as the refusal: every adapter has to pass the option on.
  const wrong = { fingerprint: { key: new Uint8Array(8) } };
  const tool = { name: "search", description: "", parameters: {}, execute, invoke: execute };
  it.each<[string, () => unknown]>([
    ["ai-sdk", () => aiTools({ search: tool }, { search: wrong })],
    ["google-adk", () => adkTools([{ ...tool, runAsync: execute }], { search: wrong })],
    ["langchain", () => langChainTools([{ ...tool, _call: execute }], { search: wrong })],
    ["mastra", () => mastraTools({ search: tool }, { search: wrong })],
    ["mastra, of delegates", () => labelDelegation({ search: wrong }, {})],
    ["mcp", () => labelServer({ server: {}, registerTool() {} } as never, { search: wrong })],
    ["openai-agents", () => agentsTools([{ ...tool, type: "function" }], { search: wrong })],
    ["openai-agents, one tool", () => agentsTool({ name: "search", ...wrong }, execute)],
    ["openai-agents, of a runner", () => labelRunner({ on() {} }, { search: wrong })],
    ["strands", () => strandsTools([{ ...tool, stream: execute, toolSpec: {} }], { search: wrong })],
  ])("is checked where it is given: %s", (_, label) => {
    expect(label).toThrow('"key" of "fingerprint"');
  });
});
