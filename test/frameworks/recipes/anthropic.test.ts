import type Anthropic from "@anthropic-ai/sdk";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import type { BetaToolRunContext } from "@anthropic-ai/sdk/lib/tools/BetaRunnableTool";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { canonicalFp, wrapTool } from "../../../src/index.ts";
import { withHandoff } from "../../../src/tracker/index.ts";
import {
  checked,
  counts,
  expectOnly,
  inRequest,
  inRun,
  isDelegated,
  labelsOf,
  startTracing,
  takeSpans,
} from "../recipe-tracing.ts";
import { scenario } from "../scenario.ts";
import { answer } from "./anthropic-documented.ts";
import { client, type ScriptedCall, scripted } from "./scripted-server.ts";

const ROW = "Anthropic SDK 1.14, tool runner";
startTracing();

const call = (id: string, q = "x"): ScriptedCall => ({ id, name: "search", input: { q } });
const inputSchema = z.object({ q: z.string() });
type Input = z.infer<typeof inputSchema>;

const tool = (run: (input: Input, id: string) => unknown = ({ q }, id) => `#${q}-${id}#`, name = "search") =>
  betaZodTool({
    name,
    description: "A tool.",
    inputSchema,
    run: wrapTool(
      { name, callId: (_input, context) => context?.toolUse.id },
      async (input: Input, context?: BetaToolRunContext) => run(input, context?.toolUse.id ?? "") as string,
    ),
  });

const runner = (model: string, tools = [tool()], more: { stream?: true; max_iterations?: number } = {}) =>
  client.beta.messages.toolRunner({
    model,
    max_tokens: 10,
    messages: [{ role: "user", content: "go" }],
    tools,
    ...more,
  } as Parameters<Anthropic["beta"]["messages"]["toolRunner"]>[0]);

const isTool = ({ name }: { name: string }) => name.startsWith("anthropic.custom_tool_use ");
const result = (span: { attributes: Record<string, unknown> }) =>
  /#[^#]+#/.exec(String(span.attributes["anthropic.tool_result.content"]))?.[0] ?? "";

describe("the Anthropic SDK's tool runner", () => {
  beforeEach(() => void takeSpans());

  it(
    "has its calls numbered, and counted when they are identical",
    scenario(ROW, ["sequence", "application-span"]),
    async () => {
      await inRequest(() =>
        inRun(() => runner(scripted([call("1")], [call("2")], [call("3")])).runUntilDone()),
      );
      const spans = checked(takeSpans(), isTool, 3);
      expect(counts(spans)).toEqual([
        [0, 1],
        [1, 2],
        [2, 3],
      ]);
      for (const [index, span] of spans.entries()) {
        expect(span.attributes["gen_ai.tool.call.id"]).toBe(`${index + 1}`);
        expect(labelsOf(span)).toMatchObject({
          "trustabl.tool.input_fp": canonicalFp({ q: "x" }),
          "trustabl.tool.output_fp": canonicalFp(`#x-${index + 1}#`),
        });
      }
    },
  );

  it("does not mix up calls of one answer", scenario(ROW, "parallel"), async () => {
    const ids = ["1", "2", "3", "4", "5"];
    const slow = tool(async ({ q }, id) => {
      await new Promise((resolve) => setTimeout(resolve, 10 - Number(id)));
      return `#${q}-${id}#`;
    });
    await inRun(() => runner(scripted(ids.map((id) => call(id))), [slow]).runUntilDone());
    const spans = checked(takeSpans(), isTool, 5);
    expect(spans.map((span) => span.attributes["trustabl.tool.attempt"])).toEqual([1, 2, 3, 4, 5]);
    for (const span of spans) {
      expect(result(span)).toBe(`#x-${span.attributes["gen_ai.tool.call.id"]}#`);
      expect(span.attributes["trustabl.tool.output_fp"]).toBe(canonicalFp(result(span)));
    }
  });

  it("has the class of what a tool throws", scenario(ROW, "throws"), async () => {
    const failing = tool(() => {
      throw Object.assign(new Error("no"), { status: 503 });
    });
    const done = await inRun(() => runner(scripted([call("1")]), [failing]).runUntilDone());
    expect(done.stop_reason).toBe("end_turn");
    const [span] = checked(takeSpans(), isTool, 1);
    expect(labelsOf(span)).toMatchObject({
      "trustabl.tool.error_class": "5xx",
      "trustabl.tool.output_fp": canonicalFp(null),
    });
    expect(span?.status.code).toBe(2);
  });

  it(
    "has the class of a failure that a tool returns, where the tool declares it",
    scenario(ROW, "returned-failure"),
    async () => {
      const run = wrapTool(
        {
          name: "search",
          callId: (_input, context) => context?.toolUse.id,
          errorClass: (_error, text) => (text === "forbidden" ? "auth" : undefined),
        },
        async (_input: Input, _context?: BetaToolRunContext) => "forbidden",
      );
      const failing = betaZodTool({ name: "search", description: "A tool.", inputSchema, run });
      await inRun(() => runner(scripted([call("1")]), [failing]).runUntilDone());
      expect(labelsOf(checked(takeSpans(), isTool, 1)[0])).toMatchObject({
        "trustabl.tool.error_class": "auth",
      });
    },
  );

  it(
    "marks an agent that a tool runs, and counts its calls in the run",
    scenario(ROW, "delegation"),
    async () => {
      const asking = tool(async () => {
        await withHandoff(() => runner(scripted([call("1")])).runUntilDone());
        return "asked";
      }, "ask");
      const ask = { id: "1", name: "ask", input: { q: "x" } };
      await inRun(() => runner(scripted([ask], [call("1")]), [asking, tool()]).runUntilDone());
      const all = takeSpans();
      expect(all.filter(isDelegated).map(({ name }) => name)).toEqual(["anthropic.messages.tool_runner"]);
      expect(counts(checked(all, isTool, 3))).toEqual([
        [0, 1],
        [1, 1],
        [2, 2],
      ]);
    },
  );

  it("is labelled while it streams", scenario(ROW, "streaming"), async () => {
    await inRun(() => runner(scripted([call("1")]), [tool()], { stream: true }).runUntilDone());
    const [span] = checked(takeSpans(), isTool, 1);
    expect(labelsOf(span)["trustabl.tool.output_fp"]).toBe(canonicalFp("#x-1#"));
  });

  it("keeps runs at the same time apart", scenario(ROW, "two-runs"), async () => {
    const runIds = new Map<string, string>();
    const shared = [tool()];
    const one = (q: string) =>
      inRun((run) => {
        runIds.set(q, run.runId);
        return runner(scripted([call("1", q)], [call("2", q)]), shared).runUntilDone();
      });
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

  it(
    "writes nothing when its tracing is off: the active span is the application's",
    scenario(ROW, "telemetry-off"),
    async () => {
      const off = client.withOptions({ openTelemetry: false });
      const quiet = off.beta.messages.toolRunner({
        model: scripted([call("1")]),
        max_tokens: 10,
        messages: [{ role: "user", content: "go" }],
        tools: [tool()],
      });
      const done = await inRequest(() => inRun(() => quiet.runUntilDone()));
      expect(done.stop_reason).toBe("end_turn");
      const spans = takeSpans();
      expect(spans.map(({ name }) => name)).toEqual(["invoke_agent helper", "POST /chat"]);
      checked(spans, isTool, 0);
    },
  );

  describe("with an approval in the loop's body", () => {
    const approved = (decision: boolean) =>
      inRun(async (run) => {
        let turns = 0;
        for await (const message of runner(scripted([call("1")]))) {
          turns += 1;
          const wants = "content" in message && message.content.some(({ type }) => type === "tool_use");
          if (wants && !decision) {
            run.stop("policy_stop");
            break;
          }
        }
        return turns;
      });
    const rootOf = (spans: ReturnType<typeof takeSpans>) =>
      spans.find(({ name }) => name === "invoke_agent helper");

    it("that is granted, labels the call", scenario(ROW, "approval-granted"), async () => {
      expect(await approved(true)).toBe(2);
      const spans = takeSpans();
      expect(counts(checked(spans, isTool, 1))).toEqual([[0, 1]]);
      expect(labelsOf(rootOf(spans))["trustabl.exit_reason"]).toBe("final_answer");
    });

    it("that is refused, makes no span and no label", scenario(ROW, "approval-refused"), async () => {
      expect(await approved(false)).toBe(1);
      const spans = takeSpans();
      checked(spans, isTool, 0);
      expect(labelsOf(rootOf(spans))["trustabl.exit_reason"]).toBe("policy_stop");
    });
  });

  it("leaves a call whose arguments do not fit without labels: it never reaches the tool", async () => {
    const wrong = { id: "1", name: "search", input: { q: 1 } };
    await inRun(() => runner(scripted([wrong])).runUntilDone());
    const spans = takeSpans();
    expect(spans.filter(isTool)).toHaveLength(1);
    expectOnly(spans, ({ name }) => name === "invoke_agent helper");
  });

  it("runs the documented recipe, whose run ends with max_steps at its cap", async () => {
    const search = { id: "1", name: "search_flights", input: { to: "JFK" } };
    const reason = async (turns: number) => {
      await answer(client, scripted(...Array.from({ length: turns }, () => [search])), "go");
      const spans = takeSpans();
      checked(spans, isTool, Math.min(turns, 8));
      return labelsOf(spans.find(({ name }) => name === "invoke_agent travel"))["trustabl.exit_reason"];
    };
    expect(await reason(2)).toBe("final_answer");
    expect(await reason(9)).toBe("max_steps");
  });
});
