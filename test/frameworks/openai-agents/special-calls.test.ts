/** What only hooks see, and what must not be taken for a tool's span: on the newest version. */
import { setTimeout as sleep } from "node:timers/promises";
import * as agents from "@openai/agents";
import { trace } from "@opentelemetry/api";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { labelRunner, labelTool } from "../../../src/adapters/openai-agents.ts";
import { canonicalFp } from "../../../src/index.ts";
import { openInference } from "./open-inference.ts";
import { calls, says, scriptedModel } from "./scripted-model.ts";
import { asRun, exported, inRequest, labelsOf, traceAgents, tracker } from "./traced.ts";

const parameters = z.object({ q: z.string() });
const search = (callId: string, args: object | string = { q: "x" }) => calls("search", args, callId);
const newTool = (execute: (args: { q: string }) => unknown, more: object = {}) =>
  agents.tool({ name: "search", description: "Searches", parameters, execute: execute as never, ...more });
const newAgent = (model: object, tools: unknown[], more: object = {}) =>
  new agents.Agent({
    name: "Helper",
    instructions: "help",
    model: model as never,
    tools: tools as never,
    ...more,
  });
const newRunner = (definitions = {}) =>
  labelRunner(new agents.Runner({ workflowName: "workflow" }), { search: {}, ...definitions });

beforeEach(() => traceAgents(agents, openInference));

describe("hooks", () => {
  it("label the call of an MCP tool, of which the application has no function", async () => {
    const server = {
      name: "server",
      cacheToolsList: false,
      connect: async () => {},
      close: async () => {},
      listTools: async () => [
        {
          name: "search",
          description: "Searches",
          inputSchema: {
            type: "object",
            properties: { q: { type: "string" } },
            required: ["q"],
            additionalProperties: false,
          },
        },
      ],
      callTool: async () => [{ type: "text", text: "found" }],
      invalidateToolsCache: async () => {},
    };
    const model = scriptedModel(agents, [search("1")], [search("2")], [says("done")]);
    const agent = newAgent(model, [], { mcpServers: [server] });
    await asRun(() => newRunner({ search: { sideEffect: "read" } }).run(agent, "q"));
    const found = (await exported()).tools("search");
    expect(found.map((span) => labelsOf(span)["trustabl.tool.attempt"])).toEqual([1, 2]);
    expect(labelsOf(found[0] as never)).toMatchObject({
      "trustabl.tool.input_fp": canonicalFp({ q: "x" }),
      "trustabl.tool.side_effect": "read",
      "trustabl.tool.output_fp": canonicalFp(found[0]?.attributes["output.value"]),
    });
  });

  it("label a call that a guardrail rejected, whose wrapped function never ran", async () => {
    const reject = {
      name: "no",
      run: async () => agents.ToolGuardrailFunctionOutputFactory.rejectContent("blocked"),
    };
    const tool = newTool(
      labelTool({ name: "search" }, async () => "found"),
      { inputGuardrails: [reject] },
    );
    await asRun(() =>
      newRunner().run(newAgent(scriptedModel(agents, [search("1")], [says("done")]), [tool]), "q"),
    );
    const [span] = (await exported()).tools("search");
    expect(labelsOf(span as never)["trustabl.tool.output_fp"]).toBe(canonicalFp("blocked"));
    expect(tracker.size.hooked).toBe(0);
  });

  it("leave the fingerprint out when the SDK hides arguments that do not fit the schema", async () => {
    const tool = newTool(async () => "found");
    const model = scriptedModel(agents, [search("1", { q: 1 })], [says("done")]);
    await asRun(() => newRunner().run(newAgent(model, [tool]), "q"));
    const [span] = (await exported({ passes: false })).tools("search");
    expect(labelsOf(span as never)["trustabl.tool.input_fp"]).toBeUndefined();
  });

  it("of a runner and of its agent label a call once", async () => {
    const agent = newAgent(scriptedModel(agents, [search("1")], [search("2")], [says("done")]), [
      newTool(async () => "found"),
    ]);
    labelRunner(agent, { search: { sideEffect: "read" } });
    await asRun(() => newRunner().run(agent, "q"));
    const found = (await exported()).tools("search");
    expect(found.map((span) => labelsOf(span)["trustabl.tool.side_effect"])).toEqual(["read", "read"]);
    expect(found.map((span) => labelsOf(span)["trustabl.tool.output_fp"])).toContain(canonicalFp("found"));
    expect(found.map((span) => labelsOf(span)["trustabl.step_index"])).toEqual([0, 1]);
  });

  it("label only the tools that were declared", async () => {
    const runner = labelRunner(new agents.Runner(), { another: {} });
    const model = scriptedModel(agents, [search("1")], [says("done")]);
    await asRun(() => runner.run(newAgent(model, [newTool(async () => "found")]), "q"));
    const { tools } = await exported({ passes: false });
    expect(labelsOf(tools("search")[0] as never)).toEqual({});
  });

  it("refuse a wrong declaration at once", () => {
    expect(() => labelRunner(new agents.Runner(), { search: { sideEffect: "none" as never } })).toThrow(
      RangeError,
    );
  });
});

describe("a span of the application", () => {
  it("with the tool's name, inside the tool, is not taken for the tool's span", async () => {
    for (const before of [0, 6]) {
      traceAgents(agents, openInference, before);
      const tool = newTool(
        labelTool({ name: "search" }, async () => {
          const own = trace.getTracer("app").startSpan("search");
          await sleep(5);
          own.end();
          return "found";
        }),
      );
      await inRequest(() =>
        asRun(() =>
          newRunner().run(newAgent(scriptedModel(agents, [search("1")], [says("done")]), [tool]), "q"),
        ),
      );
      const { spans } = await exported();
      const own = spans.filter(({ name, scope }) => name === "search" && scope === "app");
      expect(own.map(labelsOf)).toEqual([{}]);
    }
  });

  it("is not labelled when there is no bridge", async () => {
    agents.setTraceProcessors([]);
    const tool = newTool(
      labelTool({ name: "search" }, async () => {
        const own = trace.getTracer("app").startSpan("search");
        await sleep(5);
        own.end();
        return "found";
      }),
    );
    await inRequest(() =>
      newRunner().run(newAgent(scriptedModel(agents, [search("1")], [says("done")]), [tool]), "q"),
    );
    expect((await exported({ passes: false })).spans.flatMap((span) => Object.keys(labelsOf(span)))).toEqual(
      [],
    );
  });

  it("with the name of a delegated agent, inside it, is not taken for that agent's span", async () => {
    const tool = newTool(async () => {
      const attributes = { "gen_ai.operation.name": "invoke_agent" };
      trace.getTracer("app").startSpan("Inner", { attributes }).end();
      const own = trace.getTracer("app").startSpan("Inner", { attributes });
      await sleep(5);
      own.end();
      return "found";
    });
    const inner = newAgent(scriptedModel(agents, [search("1")], [says("inner done")]), [tool], {
      name: "Inner",
    });
    labelRunner(inner, { search: {} });
    const asTool = inner.asTool({ toolName: "ask_inner", toolDescription: "Asks" });
    const model = scriptedModel(agents, [calls("ask_inner", { input: "q" }, "1")], [says("done")]);
    await asRun(() => newRunner({ ask_inner: {} }).run(newAgent(model, [asTool]), "q"));
    const { spans } = await exported({ passes: false });
    const marked = spans.filter((span) => "trustabl.handoff_id" in labelsOf(span));
    expect(marked.map(({ name, scope }) => [name, scope?.startsWith("@arizeai/")])).toEqual([
      ["Inner", true],
    ]);
  });
});

describe("a wrapped function", () => {
  it("that another tool's function calls directly does not write on that tool's span", async () => {
    const helper = labelTool({ name: "helper", sideEffect: "irreversible" }, async () => "helped");
    const tool = newTool(labelTool({ name: "search", sideEffect: "read" }, async () => helper({})));
    await asRun(() =>
      newRunner().run(newAgent(scriptedModel(agents, [search("1")], [says("done")]), [tool]), "q"),
    );
    const [span] = (await exported()).tools("search");
    expect(labelsOf(span as never)["trustabl.tool.side_effect"]).toBe("read");
  });

  it("inside a custom span of the SDK still finds its call", async () => {
    const inner = labelTool({ name: "search" }, async (args: { q: string }) => `found ${args.q}`);
    const tool = newTool((args) =>
      agents.withCustomSpan(() => inner(args), { data: { name: "mine", data: {} } } as never),
    );
    const runner = new agents.Runner({ workflowName: "workflow" });
    await asRun(() =>
      runner.run(newAgent(scriptedModel(agents, [search("1")], [says("done")]), [tool]), "q"),
    );
    const [span] = (await exported()).tools("search");
    expect(labelsOf(span as never)["trustabl.tool.output_fp"]).toBe(canonicalFp("found x"));
  });
});

describe("delegations", () => {
  it("to and fro have an id each, and so has one inside an agent that is a tool", async () => {
    const handTo = (name: string, id: string) => calls(`transfer_to_${name}`, {}, id);
    const front = newAgent(
      scriptedModel(
        agents,
        [handTo("Back", "h1")],
        [calls("ask_inner", { input: "q" }, "o1")],
        [says("done")],
      ),
      [],
      {
        name: "Front",
      },
    );
    const back = newAgent(scriptedModel(agents, [handTo("Front", "h2")]), [], {
      name: "Back",
      handoffs: [front],
    });
    front.handoffs = [back];
    const deepest = newAgent(scriptedModel(agents, [says("deepest done")]), [], { name: "Deepest" });
    const inner = newAgent(scriptedModel(agents, [handTo("Deepest", "h3")]), [], {
      name: "Inner",
      handoffs: [deepest],
    });
    front.tools = [inner.asTool({ toolName: "ask_inner", toolDescription: "Asks" })] as never;
    await asRun(() => newRunner({ ask_inner: {} }).run(front, "q"));
    const { spans } = await exported();
    const marked = spans
      .filter((span) => "trustabl.handoff_id" in labelsOf(span))
      .map((span) => ({ name: span.name, id: labelsOf(span)["trustabl.handoff_id"] }));
    expect(marked.map(({ name }) => name).sort()).toEqual(["Back", "Deepest", "Front", "Inner"]);
    expect(new Set(marked.map(({ id }) => id)).size).toBe(4);
    // The first time, the application started it.
    expect(spans.filter(({ name }) => name === "Front").length).toBe(2);
  });

  it("to the same agent at the same time have an id each", async () => {
    const inner = (n: string) => newAgent(scriptedModel(agents, [says(n)]), [], { name: "Inner" });
    const tools = ["ask_a", "ask_b"].map((toolName) =>
      inner(toolName).asTool({ toolName, toolDescription: "Asks" }),
    );
    const model = scriptedModel(
      agents,
      [calls("ask_a", { input: "q" }, "1"), calls("ask_b", { input: "q" }, "2")],
      [says("done")],
    );
    await asRun(() => newRunner({ ask_a: {}, ask_b: {} }).run(newAgent(model, tools), "q"));
    const { spans } = await exported();
    const ids = spans
      .filter(({ name }) => name === "Inner")
      .map((span) => labelsOf(span)["trustabl.handoff_id"]);
    expect(new Set(ids).size).toBe(2);
    expect(ids).not.toContain(undefined);
  });
});

describe("an approval that is given in another process", () => {
  it("counts on in the run that goes on", async () => {
    const tool = newTool(
      labelTool({ name: "search" }, async () => "found"),
      { needsApproval: true },
    );
    const agent = newAgent(scriptedModel(agents, [search("1")], [says("done")]), [tool]);
    const runner = newRunner();
    const first = await asRun(() => runner.run(agent, "q"));
    const state = await agents.RunState.fromString(agent, first.state.toString());
    const [interruption] = state.getInterruptions();
    state.approve(interruption as never);
    await asRun(() => runner.run(agent, state));
    const found = (await exported()).tools("search");
    expect(found.map((span) => labelsOf(span)["trustabl.step_index"])).toEqual([0]);
  });
});

describe("a delegated agent that waits for an approval", () => {
  it("is marked, and goes on in its run", async () => {
    const tool = newTool(
      labelTool({ name: "search" }, async () => "found"),
      { needsApproval: true },
    );
    const back = newAgent(scriptedModel(agents, [search("1")], [says("done")]), [tool], { name: "Back" });
    const front = newAgent(scriptedModel(agents, [calls("transfer_to_Back", {}, "h1")]), [], {
      handoffs: [back],
    });
    const runner = newRunner();
    await asRun(async () => {
      const first = await runner.run(front, "q");
      const [interruption] = first.interruptions;
      first.state.approve(interruption as never);
      await runner.run(front, first.state);
    });
    const { spans, tools } = await exported();
    expect(tools("search").map((span) => labelsOf(span)["trustabl.step_index"])).toEqual([0]);
    const marked = spans.filter((span) => "trustabl.handoff_id" in labelsOf(span));
    expect(marked.map(({ name }) => name)).toEqual(["Back"]);
  });
});
