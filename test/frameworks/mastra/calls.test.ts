import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { labelTools } from "../../../src/adapters/mastra.ts";
import { canonicalFp } from "../../../src/index.ts";
import { useContextManager } from "../../support/tracing.ts";
import { Application, labelsOf, rootsOf } from "../application.ts";
import { scenario } from "../scenario.ts";
import { type AgentOptions, type Any, agentIn, bridged, ROW, search, toolOf } from "./agent.ts";
import { type Answer, call } from "./scripted-model.ts";

useContextManager();

const generate = (application: Application, options: AgentOptions) =>
  application.request((): Promise<Any> => agentIn(bridged(application), options).generate("go"));

describe("the calls of a Mastra agent with the OpenTelemetry bridge", () => {
  it(
    "have the labels of the first, second and third attempt when three are identical, and nothing else has any",
    scenario(ROW, ["sequence", "application-span"]),
    async () => {
      const application = new Application();
      const script = ["call_1", "call_2", "call_3"].map((id): Answer => [call(id, "search")]);
      await generate(application, {
        script,
        tools: labelTools({ search }, { search: { sideEffect: "read" } }),
      });
      const { call_1, call_2, call_3 } = await application.labelsByCall();
      const [root] = rootsOf(await application.spans());
      expect(labelsOf(root)).toEqual({ run_id: call_1?.run_id, exit_reason: "final_answer" });
      expect([call_1, call_2, call_3]).toEqual(
        [1, 2, 3].map((attempt) => ({
          run_id: labelsOf(root).run_id,
          attempt,
          step_index: attempt - 1,
          side_effect: "read",
          input_fp: canonicalFp({ q: "same" }),
          output_fp: canonicalFp({ found: "same" }),
        })),
      );
      expect(await application.findings()).toEqual([]);
      expect((await application.verified()).examined).toMatchObject({ toolSpans: 3, runs: 1 });
    },
  );

  it("are the same where the model left a default out, and where it wrote the same value", async () => {
    const application = new Application();
    const inputSchema = z.object({ q: z.string(), unit: z.enum(["C", "F"]).default("C") });
    const weather = toolOf("weather", async ({ q }) => `7 in ${q}`, { inputSchema });
    const calls = [{ q: "Rome" }, { q: "Rome", unit: "C" }];
    const script = calls.map((input, index): Answer => [call(`call_${index + 1}`, "weather", input)]);
    await generate(application, { script, tools: labelTools({ weather }) });
    const celsius = canonicalFp({ q: "Rome", unit: "C" });
    expect(await application.labelsByCall()).toMatchObject({
      call_1: { input_fp: celsius, attempt: 1 },
      call_2: { input_fp: celsius, attempt: 2 },
    });
  });

  it(
    "are kept apart when they run at the same time, identical ones too",
    scenario(ROW, "parallel"),
    async () => {
      const application = new Application();
      const slow = (delay: number) =>
        toolOf("wait", async ({ q }, { agent }) => {
          await sleep(delay);
          return `${q} for ${agent.toolCallId}`;
        });
      const calls = [
        call("call_1", "slow"),
        call("call_2", "slow"),
        call("call_3", "quick", { q: "other" }),
        call("call_4", "slow", { q: "other" }),
      ];
      await generate(application, { script: [calls], tools: labelTools({ slow: slow(20), quick: slow(1) }) });
      expect(await application.labelsByCall()).toMatchObject(
        Object.fromEntries(
          calls.map(([id, , input], step_index) => [
            id,
            {
              step_index,
              attempt: id === "call_2" ? 2 : 1,
              input_fp: canonicalFp(input),
              output_fp: canonicalFp(`${(input as { q: string }).q} for ${id}`),
            },
          ]),
        ),
      );
      expect(await application.findings()).toEqual([]);
    },
  );

  it("have the class of what they throw, and the run goes on", scenario(ROW, "throws"), async () => {
    const application = new Application();
    const fails = toolOf("fails", async () => {
      throw Object.assign(new Error("no"), { status: 503 });
    });
    const result = await generate(application, {
      script: [[call("call_1", "fails")]],
      tools: labelTools({ fails }),
    });
    expect(result.text).toBe("done");
    expect(await application.labelsByCall()).toMatchObject({
      call_1: { error_class: "5xx", output_fp: canonicalFp(null), attempt: 1 },
    });
    expect(await application.findings()).toEqual([]);
  });

  it(
    "have the class of a failure that they return, and say that nothing was found",
    scenario(ROW, "returned-failure"),
    async () => {
      const application = new Application();
      const book = toolOf("book", async () => ({ full: true }));
      await generate(application, {
        script: [[call("call_1", "book"), call("call_2", "search")]],
        tools: labelTools(
          { book, search },
          {
            book: {
              errorClass: (_error, result) => ((result as { full: boolean }).full ? "4xx" : undefined),
            },
            search: { isEmpty: () => true },
          },
        ),
      });
      expect(await application.labelsByCall()).toMatchObject({
        call_1: { error_class: "4xx", output_fp: canonicalFp({ full: true }) },
        call_2: { error_class: "empty" },
      });
      expect(await application.findings()).toEqual([]);
    },
  );

  it("have the class schema when Mastra refuses their result, unless the tool says otherwise", async () => {
    const application = new Application();
    const { z } = await import("zod");
    const odd = toolOf("odd", async () => "odd", { outputSchema: z.object({ even: z.boolean() }) });
    await generate(application, {
      script: [[call("call_1", "odd"), call("call_2", "other")]],
      tools: labelTools({ odd, other: odd }, { other: { errorClass: () => null } }),
    });
    const { call_1, call_2 } = await application.labelsByCall();
    expect(call_1).toMatchObject({ error_class: "schema" });
    expect(call_2).not.toHaveProperty("error_class");
  });

  it("of an MCP client's tools are labelled too", async () => {
    const application = new Application();
    const remote = Object.assign(
      toolOf("weather_search", async ({ q }) => q),
      {
        mcpMetadata: { serverName: "weather" },
      },
    );
    await generate(application, {
      script: [[call("call_1", "weather_search")]],
      tools: labelTools({ weather_search: remote }),
    });
    expect(await application.labelsByCall()).toMatchObject({
      call_1: { attempt: 1, output_fp: canonicalFp("same") },
    });
    const spans = await application.spans();
    expect(spans.map(({ attributes }) => attributes["mastra.span.type"])).toContain("mcp_tool_call");
    expect(await application.findings()).toEqual([]);
  });

  it("of a tool of the AI SDK are labelled too, which gets its id as before", async () => {
    const application = new Application();
    const { z } = await import("zod");
    const ids: string[] = [];
    const foreign = {
      description: "foreign",
      parameters: z.object({ q: z.string() }),
      execute: async ({ q }: { q: string }, { toolCallId }: { toolCallId: string }) => {
        ids.push(toolCallId);
        return q;
      },
    };
    await generate(application, {
      script: [[call("call_1", "foreign"), call("call_2", "foreign")]],
      tools: labelTools({ foreign }),
    });
    expect(ids).toEqual(["call_1", "call_2"]);
    expect(await application.labelsByCall()).toMatchObject({
      call_1: { attempt: 1 },
      call_2: { attempt: 2 },
    });
  });

  it("never run when their arguments are refused, which leaves their span without labels", async () => {
    const application = new Application();
    await generate(application, {
      script: [[call("call_1", "search", { q: 1 })], [call("call_2", "nowhere")], [call("call_3", "search")]],
      tools: labelTools({ search }),
    });
    const { call_1, call_3 } = await application.labelsByCall();
    expect(call_1).toEqual({});
    expect(call_3).toMatchObject({ attempt: 1, step_index: 0 });
    const findings = (await application.findings()) as { id: string; outcome: string }[];
    expect(findings.map(({ id, outcome }) => [id, outcome])).toEqual([["tool-span-labelled", "unknown"]]);
  });
});
