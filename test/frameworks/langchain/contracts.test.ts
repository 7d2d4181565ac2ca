import { LangChainInstrumentation } from "@arizeai/openinference-instrumentation-langchain";
import * as callbackManager from "@langchain/core/callbacks/manager";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { createMiddleware } from "langchain";
import { beforeEach, describe, expect, it } from "vitest";
import { contractTool, labelTools } from "../../../src/adapters/langchain.ts";
import { type ContractToolOptions, defineTools } from "../../../src/contracts/index.ts";
import { canonicalFp, wrapTool } from "../../../src/index.ts";
import { BAD_CALLS, triageTools } from "../contracts.ts";
import { createAgent, question, scripted, searchTool, tool, z } from "./agents.ts";
import { expectNoOtherLabels, inRun, labelsOf, provider, takeSpans, verified } from "./tracing.ts";

new LangChainInstrumentation({ tracerProvider: provider }).manuallyInstrument(callbackManager);

beforeEach(async () => {
  await takeSpans();
});

type Options = ContractToolOptions<unknown, [object], unknown>;

/** Every tool of the registry, unchanged, and what ran. */
function triage(options: Options = {}) {
  const effects: unknown[] = [];
  const made = Object.values(triageTools).map((contract) =>
    tool(
      ...contractTool(
        contract as typeof triageTools.read_log,
        async (args) => {
          effects.push(args);
          return "done";
        },
        options as object,
      ),
    ),
  );
  return { effects, tools: labelTools(made) };
}

async function callOf(
  name: string,
  args: Record<string, unknown>,
  options: Options = {},
  middleware: never[] = [],
) {
  const { effects, tools } = triage(options);
  const agent = createAgent({ model: scripted([{ name, args, id: "c1" }]), tools, middleware });
  const { messages } = await inRun(() => agent.invoke(question));
  const told = messages.find((message) => message.getType() === "tool")?.text;
  const spans = await takeSpans();
  const [span, ...more] = spans.filter(({ attributes }) => attributes["openinference.span.kind"] === "TOOL");
  expect(more).toEqual([]);
  const roots = spans.filter((other) => other.name === "invoke_agent helper");
  expectNoOtherLabels(spans, [span, ...roots] as never);
  expect(verified(spans).checks.filter(({ outcome }) => outcome === "fail")).toEqual([]);
  return { told, effects, labels: labelsOf(span) };
}

describe("a registry of contracts in LangChain", () => {
  it("is what the model is shown", () => {
    const { tools } = triage();
    const shown = tools.map((made) => convertToOpenAITool(made).function);
    expect(shown).toEqual(
      Object.values(triageTools).map((contract) => ({
        name: contract.name,
        description: contract.description,
        parameters: contract.jsonSchema(),
      })),
    );
  });

  it.each(BAD_CALLS)(
    "does not run a call %s, and tells the model what was wrong",
    async (_, name, args, what) => {
      const { told, effects, labels } = await callOf(name, args, { confirmed: () => true });
      expect(told).toBe(
        `ContractViolationError: Refused, nothing was run. ${what}\n Please fix your mistakes.`,
      );
      expect(effects).toEqual([]);
      expect(labels).toMatchObject({
        "trustabl.tool.error_class": "schema",
        "trustabl.tool.input_fp": canonicalFp(args),
        "trustabl.tool.side_effect": "write",
        "trustabl.step_index": 0,
      });
    },
  );

  it("runs what it allows, with the labels of the contract, counted once", async () => {
    const args = { issue_id: "7", text: "seen" };
    const { told, effects, labels } = await callOf("add_comment", args);
    expect(told).toBe("done");
    expect(effects).toEqual([args]);
    expect(labels).toMatchObject({
      "trustabl.tool.side_effect": "write",
      "trustabl.tool.attempt": 1,
      "trustabl.step_index": 0,
      "trustabl.tool.output_fp": canonicalFp("done"),
    });
    expect(labels).not.toHaveProperty(["trustabl.tool.error_class"]);
  });

  it("runs what has to be confirmed only when it was, outside the model", async () => {
    const args = { job_id: "7" };
    const refused = await callOf("rerun_job", args);
    expect(refused.told).toContain("Refused, nothing was run.");
    expect(refused.effects).toEqual([]);
    expect(refused.labels).toMatchObject({ "trustabl.tool.error_class": "schema" });
    const asked: unknown[] = [];
    const confirmed = (question: unknown, config: object) => {
      asked.push([question, (config as { toolCallId?: string }).toolCallId]);
      return true;
    };
    const { effects } = await callOf("rerun_job", args, { confirmed });
    expect(asked).toEqual([[args, "c1"]]);
    expect(effects).toEqual([args]);
  });

  it("answers in the tool's place where another middleware would let the refusal end the run", async () => {
    const passing = createMiddleware({
      name: "passing",
      wrapToolCall: (request, handler) => handler(request),
    });
    const bad = { title: "red", severity: "p4" };
    await expect(callOf("open_issue", bad, {}, [passing] as never)).rejects.toThrow("expected one of p1");
    await takeSpans();
    const onRefusal = (error: Error) => error.message;
    const { told, effects, labels } = await callOf("open_issue", bad, { onRefusal }, [passing] as never);
    expect(told).toBe("Refused, nothing was run. severity: expected one of p1, p2, p3");
    expect(effects).toEqual([]);
    expect(labels).toMatchObject({ "trustabl.tool.error_class": "schema" });
  });
});

describe("a tool whose contract says that it is sensitive", () => {
  it("has no fingerprint on its span, whatever becomes of the call", async () => {
    const { reset_pin } = defineTools({
      reset_pin: {
        description: "Set the PIN of one card.",
        input: {
          type: "object",
          additionalProperties: false,
          required: ["pin"],
          properties: { pin: { type: "string", pattern: "^[0-9]{4}$", maxLength: 4 } },
        },
        sensitive: true,
      },
    });
    const tools = labelTools([tool(...contractTool(reset_pin, async ({ pin }) => pin))]);
    const pins = ["1234", "12345"].map((pin, index) => ({
      name: "reset_pin",
      args: { pin },
      id: `c${index}`,
    }));
    await inRun(() => createAgent({ model: scripted(pins), tools }).invoke(question));
    const spans = (await takeSpans()).filter(
      ({ attributes }) => attributes["openinference.span.kind"] === "TOOL",
    );
    expect(spans).toHaveLength(2);
    for (const span of spans) {
      expect(labelsOf(span)).toHaveProperty(["trustabl.step_index"]);
      expect(labelsOf(span)).not.toHaveProperty(["trustabl.tool.input_fp"]);
      expect(labelsOf(span)).not.toHaveProperty(["trustabl.tool.output_fp"]);
    }
  });
});

describe("LangChain's own validation", () => {
  const call = { name: "open_issue", args: { title: "red", severity: "p4" }, id: "c1" };
  const toldBy = async (schema: unknown) => {
    const made = tool(() => "ran", {
      ...triageTools.open_issue,
      name: "open_issue",
      schema: schema as never,
    });
    const agent = createAgent({ model: scripted([call]), tools: labelTools([made]) });
    const { messages } = await inRun(() => agent.invoke(question));
    return messages.find((message) => message.getType() === "tool")?.text;
  };
  const toolSpans = async () =>
    (await takeSpans()).filter(({ attributes }) => attributes["openinference.span.kind"] === "TOOL");

  it("refuses by the contract's JSON Schema, without a word of what was wrong and without a tool span", async () => {
    expect(await toldBy(triageTools.open_issue.jsonSchema())).toMatch(
      /Received tool input did not match expected schema\s/,
    );
    expect(await toolSpans()).toEqual([]);
  });

  it("cannot read a contract itself, which is frozen: no call runs", async () => {
    expect(await toldBy(triageTools.open_issue)).toContain("not extensible");
    expect(await toolSpans()).toEqual([]);
  });
});

describe("a tool that is labelled inside as well", () => {
  it("is counted once, by what stands at its function", async () => {
    const inner = wrapTool(
      { name: "search", sideEffect: "write", callId: (_args, config) => config.toolCallId },
      async ({ q }: { q: string }, _config: { toolCallId?: string }) => `#${q}#`,
    );
    const both = tool(inner as never, {
      name: "search",
      description: "Searches.",
      schema: z.object({ q: z.string() }),
    });
    const agent = createAgent({
      model: scripted(
        [{ name: "search", args: { q: "x" }, id: "c1" }],
        [{ name: "search", args: { q: "x" }, id: "c1" }],
      ),
      tools: labelTools([both], { search: { sideEffect: "read" } }),
    });
    await inRun(() => agent.invoke(question));
    const spans = await takeSpans();
    const labels = spans
      .filter(({ attributes }) => attributes["openinference.span.kind"] === "TOOL")
      .map(labelsOf);
    expect(
      labels.map((label) => [
        label["trustabl.step_index"],
        label["trustabl.tool.attempt"],
        label["trustabl.tool.side_effect"],
      ]),
    ).toEqual([
      [0, 1, "write"],
      [1, 2, "write"],
    ]);
    expect(searchTool.name).toBe("search");
  });
});
