import { BaseTool, BaseToolset, FunctionTool, LongRunningFunctionTool, StreamingMode } from "@google/adk";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { labelTools } from "../../../src/adapters/google-adk.ts";
import { canonicalFp } from "../../../src/index.ts";
import { hearDiagnostics, ownMessages } from "../../support/diagnostics.ts";
import { scenario } from "../scenario.ts";
import { agent, ask, conversation, search, searchTool } from "./agents.ts";
import { checked, inRequest, inRun, labelsOf, root, takeSpans, verified } from "./tracing.ts";

const ROW = "Google ADK 2.0";
const definitions = { search: { sideEffect: "read" } } as const;
const labelled = (...parameters: Parameters<typeof searchTool>) =>
  labelTools([searchTool(...parameters)], definitions);

/** The result that ADK captured, which shows the call that it belongs to. */
const captured = (response: unknown): string => /#[^#]+#/.exec(String(response))?.[0] ?? "";
const responses = (events: Awaited<ReturnType<typeof ask>>): unknown[] =>
  events
    .flatMap(({ content }) => content?.parts ?? [])
    .flatMap(({ functionResponse: found }) => found?.response ?? []);

describe("the calls of an ADK agent", () => {
  it(
    "are numbered, and counted when they are identical",
    scenario(ROW, ["sequence", "application-span"]),
    async () => {
      const main = agent([[search("c1")], [search("c2")], [search("c3")]], { tools: labelled() });
      await inRequest(() => inRun(() => ask(main)));
      const spans = checked(takeSpans(), 3);
      for (const [index, span] of spans.entries()) {
        expect(labelsOf(span)).toMatchObject({
          "trustabl.tool.attempt": index + 1,
          "trustabl.step_index": index,
          "trustabl.tool.input_fp": canonicalFp({ q: "x" }),
          "trustabl.tool.output_fp": canonicalFp({ found: `#x-c${index + 1}#` }),
          "trustabl.tool.side_effect": "read",
        });
        expect(span.attributes["gen_ai.tool.call.id"]).toBe(`c${index + 1}`);
      }
    },
  );

  it("are the same where the model left a default out, and where it wrote the same value", async () => {
    const parameters = z.object({ q: z.string(), unit: z.enum(["C", "F"]).default("C") });
    const weather = new FunctionTool({
      name: "search",
      description: "Tells the weather.",
      parameters,
      execute: ({ q, unit }: { q: string; unit: string }) => ({ found: `${q} ${unit}` }),
    });
    const turns = [{ q: "Rome" }, { q: "Rome", unit: "C" }].map((args, index) => [
      { ...search(`c${index + 1}`), args },
    ]);
    await inRun(() => ask(agent(turns, { tools: labelTools([weather]) })));
    const spans = takeSpans().filter(({ name }) => name === "execute_tool search");
    const celsius = canonicalFp({ q: "Rome", unit: "C" });
    expect(spans.map(labelsOf)).toMatchObject([
      { "trustabl.tool.input_fp": celsius, "trustabl.tool.attempt": 1 },
      { "trustabl.tool.input_fp": celsius, "trustabl.tool.attempt": 2 },
    ]);
  });

  it(
    "of one answer have their own spans, with ids of ADK's where the model gives none; the merged span has nothing",
    scenario(ROW, "parallel"),
    async () => {
      const ids = ["c1", undefined, "c3", undefined, "c5", "c6"];
      await inRun(() => ask(agent([ids.map((id) => search(id))], { tools: labelled() })));
      const all = takeSpans();
      expect(all.map(({ name }) => name)).toContain("execute_tool (merged)");
      const spans = checked(all, 6);
      expect(spans.map(({ attributes }) => attributes["trustabl.tool.attempt"])).toEqual([1, 2, 3, 4, 5, 6]);
      for (const { attributes } of spans) {
        const found = captured(attributes["gcp.vertex.agent.tool_response"]);
        expect(found).toBe(`#x-${attributes["gen_ai.tool.call.id"]}#`);
        expect(attributes["trustabl.tool.output_fp"]).toBe(canonicalFp({ found }));
      }
    },
  );

  it("have the class of what they throw, and ADK's answer is the same", scenario(ROW, "throws"), async () => {
    const fails = () => {
      throw Object.assign(new Error("no"), { status: 503 });
    };
    const events = await inRun(() => ask(agent([[search("c1")]], { tools: labelled(fails) })));
    const spans = takeSpans();
    const plain = await ask(agent([[search("c1")]], { tools: [searchTool(fails)] }));
    takeSpans();
    expect(responses(events)).toEqual(responses(plain));
    const [span] = spans.filter(({ name }) => name === "execute_tool search");
    // ADK gives it nothing but a name; the labels bring the tool's.
    expect(span?.attributes).not.toHaveProperty(["gen_ai.operation.name"]);
    expect(span?.attributes["gen_ai.tool.name"]).toBe("search");
    expect(labelsOf(span)).toMatchObject({
      "trustabl.tool.error_class": "5xx",
      "trustabl.tool.output_fp": canonicalFp(null),
      "trustabl.tool.attempt": 1,
    });
    expectOnlyUncaptured(spans);
  });

  it("with arguments that do not fit are calls that failed, and are counted", async () => {
    const wrong = { name: "search", args: { q: 1 }, id: "c1" };
    await inRun(() => ask(agent([[wrong], [wrong]], { tools: labelled() })));
    const spans = takeSpans();
    const calls = spans.filter(({ name }) => name === "execute_tool search");
    expect(calls.map(({ attributes }) => attributes["trustabl.tool.attempt"])).toEqual([1, 2]);
    for (const span of calls) {
      expect(labelsOf(span)).toMatchObject({
        "trustabl.tool.error_class": "schema",
        "trustabl.tool.input_fp": canonicalFp({ q: 1 }),
      });
    }
    expectOnlyUncaptured(spans);
  });

  it("have the class of a failure that is returned", scenario(ROW, "returned-failure"), async () => {
    const fails = () => ({ isError: true, status: 401 });
    await inRun(() => ask(agent([[search("c1")]], { tools: labelled(fails) })));
    const [span] = checked(takeSpans(), 1);
    expect(labelsOf(span)).toMatchObject({ "trustabl.tool.error_class": "auth" });
  });

  it("are labelled while the agent streams", scenario(ROW, "streaming"), async () => {
    const say = await conversation(agent([[search("c1")]], { tools: labelled() }));
    const events = await inRun(() => say(undefined, { streamingMode: StreamingMode.SSE }));
    expect(events.some(({ partial }) => partial === true)).toBe(true);
    checked(takeSpans(), 1);
  });

  it("of a long-running tool are labelled when its function has returned", async () => {
    const start = new LongRunningFunctionTool({
      name: "search",
      description: "Starts.",
      execute: () => ({ status: "pending" }),
    });
    await inRun(() => ask(agent([[search("c1")]], { tools: labelTools([start]) })));
    const [span] = checked(takeSpans(), 1);
    expect(labelsOf(span)["trustabl.tool.output_fp"]).toBe(canonicalFp({ status: "pending" }));
  });

  it("of a class of the application's own are labelled, whatever its methods use", async () => {
    await inRun(() => ask(agent([[search("c1")]], { tools: labelTools([new OwnTool()], definitions) })));
    const [span] = checked(takeSpans(), 1);
    expect(labelsOf(span)).toMatchObject({
      "trustabl.tool.input_fp": canonicalFp({ q: "x" }),
      "trustabl.tool.output_fp": canonicalFp("found x"),
      "trustabl.tool.side_effect": "read",
    });
  });

  it("of a toolset's tools are labelled, though they come at run time", async () => {
    const tools = labelTools([new OwnToolset()], definitions);
    expect(tools[0]).toBeInstanceOf(BaseToolset);
    await inRun(() => ask(agent([[search("c1")], [search("c2")]], { tools })));
    const spans = checked(takeSpans(), 2);
    expect(labelsOf(spans[1])).toMatchObject({
      "trustabl.tool.attempt": 2,
      "trustabl.tool.side_effect": "read",
    });
  });

  it("keep the kind of their tool, and leave the given one as it was", async () => {
    const tool = searchTool();
    const [copy] = labelTools([tool]);
    expect(copy).toBeInstanceOf(FunctionTool);
    expect(copy.name).toBe("search");
    await inRun(() => ask(agent([[search("c1")]], { tools: [copy] })));
    expect(checked(takeSpans(), 1)[0]?.attributes["gen_ai.tool.type"]).toBe("FunctionTool");
    const messages = hearDiagnostics();
    await inRun(() => ask(agent([[search("c1")]], { tools: [tool] })));
    expect(takeSpans().filter(({ attributes }) => "trustabl.tool.attempt" in attributes)).toEqual([]);
    expect(ownMessages(messages)).toEqual([]);
  });
});

describe("a call that needs an approval", () => {
  const answer = (id: string | undefined, confirmed: boolean) => [
    { functionResponse: { name: "adk_request_confirmation", id, response: { confirmed } } },
  ];
  async function waiting() {
    const say = await conversation(agent([[search("c1")]], { tools: labelled(undefined, true) }));
    const events = await inRun(() => say());
    const request = events
      .flatMap(({ content }) => content?.parts ?? [])
      .find(({ functionCall }) => functionCall?.name === "adk_request_confirmation");
    return { say, id: request?.functionCall?.id };
  }

  it("has no labels while it waits, as it has not run", async () => {
    await waiting();
    expectNothingRan(takeSpans());
  });

  it("is labelled when it runs, and counts once", scenario(ROW, "approval-granted"), async () => {
    const { say, id } = await waiting();
    takeSpans();
    await inRun(() => say(answer(id, true)));
    const [span] = checked(takeSpans(), 1);
    expect(labelsOf(span)).toMatchObject({
      "trustabl.tool.attempt": 1,
      "trustabl.step_index": 0,
      "trustabl.tool.output_fp": canonicalFp({ found: "#x-c1#" }),
    });
  });

  it("has no labels when it was refused", scenario(ROW, "approval-refused"), async () => {
    const { say, id } = await waiting();
    takeSpans();
    const events = await inRun(() => say(answer(id, false)));
    expect(responses(events)).toEqual([{ error: "This tool call is rejected." }]);
    expectNothingRan(takeSpans());
  });

  // The span is there, and the verifier cannot know more than ADK's answer tells it.
  function expectNothingRan(spans: ReturnType<typeof takeSpans>) {
    expect(spans.filter(({ name }) => name === "execute_tool search")).toHaveLength(1);
    const labelledSpans = spans.filter((span) => Object.keys(labelsOf(span)).length > 0);
    expect(labelledSpans).toEqual([root(spans)]);
    const doubts = verified(spans).checks.filter(
      ({ outcome }) => outcome === "fail" || outcome === "unknown",
    );
    expect(doubts.flatMap(({ findings }) => findings.map(({ reason }) => reason))).toEqual([
      "may-not-have-run",
    ]);
  }
});

/** Of a call that failed ADK captures nothing to compare fingerprints with; everything else can be told. */
function expectOnlyUncaptured(spans: ReturnType<typeof takeSpans>): void {
  const report = verified(spans);
  const doubts = report.checks.filter(({ outcome }) => outcome === "fail" || outcome === "unknown");
  expect(new Set(doubts.flatMap(({ findings }) => findings.map(({ reason }) => reason)))).toEqual(
    new Set(["not-captured"]),
  );
  expect(report.verdict).toBe("pass");
}

class OwnTool extends BaseTool {
  readonly #found = "found";

  constructor() {
    super({ name: "search", description: "Searches." });
  }

  override _getDeclaration() {
    return { name: this.name, description: `${this.#found} things` };
  }

  override async processLlmRequest(request: Parameters<BaseTool["processLlmRequest"]>[0]): Promise<void> {
    expect(this.#found).toBe("found");
    await super.processLlmRequest(request);
  }

  override async runAsync({ args }: { args: Record<string, unknown> }): Promise<unknown> {
    return `${this.#found} ${String(args.q)}`;
  }
}

class OwnToolset extends BaseToolset {
  readonly #tools = [new OwnTool()];

  constructor() {
    super([]);
  }

  override async getTools(): Promise<BaseTool[]> {
    return this.#tools;
  }

  override async close(): Promise<void> {
    this.#tools.length = 0;
  }
}
