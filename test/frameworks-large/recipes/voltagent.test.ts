import "./no-network.ts";
import { Agent, createTool } from "@voltagent/core";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { canonicalFp, markHandoff, markRunEnd, type Run, withRun, wrapTool } from "../../../src/index.ts";
import { withHandoff } from "../../../src/tracker/index.ts";
import {
  checked,
  counts,
  inRequest,
  isDelegated,
  labelsOf,
  startTracing,
  takeSpans,
} from "../../frameworks/recipe-tracing.ts";
import { scenario } from "../../frameworks/scenario.ts";
import { type ScriptedCall, scripted } from "./scripted-language-model.ts";
import { answer } from "./voltagent-documented.ts";

const ROW = "VoltAgent 2.10";
startTracing();

type Input = { q: string };
const call = (id: string, q = "x"): ScriptedCall => ({ id, name: "search", input: { q } });

function tool(
  run: (input: Input, id: string) => unknown = async ({ q }, id) => ({ found: `#${q}-${id}#` }),
  { name = "search", ...more }: { name?: string; needsApproval?: boolean } = {},
) {
  return createTool({
    name,
    description: "A tool.",
    parameters: z.object({ q: z.string() }),
    ...more,
    execute: wrapTool(
      { name, callId: (_input, options) => options?.toolContext?.callId },
      async (input: Input, options?: { toolContext?: { callId?: string } }) =>
        run(input, options?.toolContext?.callId ?? ""),
    ),
  });
}

const hooks = (run: Run) =>
  ({
    onStart: ({ context }) => run.markStart(context.traceContext.getRootSpan()),
    onEnd: ({ context, error }) =>
      markRunEnd(context.traceContext.getRootSpan(), run.stopReason ?? (error ? "error" : "final_answer")),
  }) satisfies NonNullable<Parameters<Agent["generateText"]>[1]>["hooks"];

const agent = (turns: ScriptedCall[][], tools: ReturnType<typeof tool>[] = [tool()], name = "helper") =>
  new Agent({ name, instructions: "x", model: scripted(...turns), tools });
const ask = (helper: Agent, seen?: (run: Run) => void) =>
  withRun(undefined, async (run) => {
    seen?.(run);
    return (await helper.generateText("go", { hooks: hooks(run) })).text;
  });
const isTool = ({ attributes }: { attributes: Record<string, unknown> }) =>
  attributes["span.type"] === "tool";
const result = ({ attributes }: { attributes: Record<string, unknown> }) =>
  /#[^#]+#/.exec(String(attributes.output))?.[0] ?? "";

describe("VoltAgent", () => {
  beforeEach(() => void takeSpans());

  it(
    "has its calls numbered, and counted when they are identical",
    scenario(ROW, ["sequence", "application-span"]),
    async () => {
      await inRequest(() => ask(agent([[call("1")], [call("2")], [call("3")]])));
      const spans = checked(takeSpans(), isTool, 3);
      expect(counts(spans)).toEqual([
        [0, 1],
        [1, 2],
        [2, 3],
      ]);
      for (const [index, span] of spans.entries()) {
        expect(span.attributes["tool.call.id"]).toBe(`${index + 1}`);
        expect(labelsOf(span)).toMatchObject({
          "trustabl.tool.input_fp": canonicalFp({ q: "x" }),
          "trustabl.tool.output_fp": canonicalFp({ found: `#x-${index + 1}#` }),
        });
      }
    },
  );

  it("does not mix up calls of one answer", scenario(ROW, "parallel"), async () => {
    const slow = tool(async ({ q }, id) => {
      await new Promise((resolve) => setTimeout(resolve, 10 - Number(id)));
      return { found: `#${q}-${id}#` };
    });
    await ask(agent([["1", "2", "3", "4", "5"].map((id) => call(id))], [slow]));
    const spans = checked(takeSpans(), isTool, 5);
    expect(spans.map(({ attributes }) => attributes["trustabl.tool.attempt"])).toEqual([1, 2, 3, 4, 5]);
    for (const span of spans) {
      expect(result(span)).toBe(`#x-${span.attributes["tool.call.id"]}#`);
      expect(span.attributes["trustabl.tool.output_fp"]).toBe(canonicalFp({ found: result(span) }));
    }
  });

  it("has the class of what a tool throws", scenario(ROW, "throws"), async () => {
    const failing = tool(async () => {
      throw Object.assign(new Error("no"), { status: 503 });
    });
    expect(await ask(agent([[call("1")]], [failing]))).toBe("done");
    const [span] = checked(takeSpans(), isTool, 1);
    expect(labelsOf(span)).toMatchObject({
      "trustabl.tool.error_class": "5xx",
      "trustabl.tool.output_fp": canonicalFp(null),
    });
  });

  it("has the class of a failure that a tool returns", scenario(ROW, "returned-failure"), async () => {
    await ask(agent([[call("1")]], [tool(async () => ({ isError: true, status: 401 }))]));
    expect(labelsOf(checked(takeSpans(), isTool, 1)[0])).toMatchObject({
      "trustabl.tool.error_class": "auth",
    });
  });

  it(
    "marks an agent that a tool runs, and counts its calls in the run",
    scenario(ROW, "delegation"),
    async () => {
      const specialist = agent([[call("1")]], [tool()], "specialist");
      const asking = tool(async () => (await withHandoff(() => specialist.generateText("go"))).text, {
        name: "ask",
      });
      await ask(agent([[{ id: "1", name: "ask", input: { q: "x" } }], [call("1")]], [asking, tool()]));
      const all = takeSpans();
      expect(all.filter(isDelegated).map(({ name }) => name)).toEqual(["subagent:specialist"]);
      expect(counts(checked(all, isTool, 3))).toEqual([
        [0, 1],
        [1, 1],
        [2, 2],
      ]);
    },
  );

  it("marks an agent that VoltAgent's own tool delegates to, in a hook of that agent; that tool is no call", async () => {
    const specialist = new Agent({
      name: "specialist",
      instructions: "x",
      model: scripted([call("1")]),
      tools: [tool()],
      hooks: {
        onStart: ({ context: { parentAgentId, traceContext } }) => {
          if (parentAgentId !== undefined) markHandoff(traceContext.getRootSpan(), crypto.randomUUID());
        },
      },
    });
    const delegate = { id: "1", name: "delegate_task", input: { task: "t", targetAgents: ["specialist"] } };
    const model = scripted([delegate], [call("2")]);
    const tools = [tool()];
    await ask(new Agent({ name: "helper", instructions: "x", model, tools, subAgents: [specialist] }));
    const all = takeSpans();
    expect(all.filter(isDelegated).map(({ name }) => name)).toEqual(["subagent:specialist"]);
    const isOwnTool = (span: (typeof all)[number]) =>
      isTool(span) && span.name !== "tool.execution:delegate_task";
    expect(counts(checked(all, isOwnTool, 2))).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  it("is labelled while it streams", scenario(ROW, "streaming"), async () => {
    const helper = agent([[call("1")]]);
    let text = "";
    await withRun(undefined, async (run) => {
      const { textStream } = await helper.streamText("go", { hooks: hooks(run) });
      for await (const part of textStream) text += part;
    });
    expect(text).toBe("done");
    const [span] = checked(takeSpans(), isTool, 1);
    expect(labelsOf(span)["trustabl.tool.output_fp"]).toBe(canonicalFp({ found: "#x-1#" }));
  });

  it("keeps runs at the same time apart", scenario(ROW, "two-runs"), async () => {
    const runIds = new Map<string, string>();
    const shared = [tool()];
    const one = (q: string) =>
      ask(agent([[call("1", q)], [call("2", q)]], shared), ({ runId }) => runIds.set(q, runId));
    await Promise.all(["a", "b"].map(one));
    const spans = checked(takeSpans(), isTool, 4);
    for (const q of ["a", "b"]) {
      const own = spans.filter((span) => result(span).startsWith(`#${q}-`));
      expect(own.map(({ attributes }) => attributes["trustabl.run_id"])).toEqual([
        runIds.get(q),
        runIds.get(q),
      ]);
      expect(counts(own)).toEqual([
        [0, 1],
        [1, 2],
      ]);
    }
  });

  describe("with an approval", () => {
    const waiting = async () => {
      const helper = agent([[call("1")]], [tool(undefined, { needsApproval: true })]);
      const generate = (input: Parameters<Agent["generateText"]>[0]) =>
        withRun(undefined, (run) => helper.generateText(input, { hooks: hooks(run) }));
      const { content, response } = await generate("go");
      const asked = content.find(({ type }) => type === "tool-approval-request") as { approvalId: string };
      const answer = (approved: boolean) =>
        generate([
          { role: "user", content: "go" },
          ...response.messages,
          {
            role: "tool",
            content: [{ type: "tool-approval-response", approvalId: asked.approvalId, approved }],
          },
        ]);
      return { answer };
    };

    it("makes no span for the call that waits", async () => {
      await waiting();
      checked(takeSpans(), isTool, 0);
    });

    it("that is granted, labels the call", scenario(ROW, "approval-granted"), async () => {
      const { answer } = await waiting();
      takeSpans();
      await answer(true);
      expect(counts(checked(takeSpans(), isTool, 1))).toEqual([[0, 1]]);
    });

    it("that is refused, makes no span and no label", scenario(ROW, "approval-refused"), async () => {
      const { answer } = await waiting();
      takeSpans();
      await answer(false);
      checked(takeSpans(), isTool, 0);
    });
  });

  it("runs the documented recipe", async () => {
    const model = scripted([{ id: "1", name: "search_flights", input: { to: "JFK" } }]);
    expect(await answer(model, "go")).toBe("done");
    const [span] = checked(takeSpans(), isTool, 1);
    expect(labelsOf(span)["trustabl.tool.side_effect"]).toBe("read");
  });
});
