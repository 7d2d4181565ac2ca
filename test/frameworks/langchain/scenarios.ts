/** What has to hold on every instrumentation of LangChain. */
import { Command, interrupt, isGraphInterrupt, MemorySaver } from "@langchain/langgraph";
import { context } from "@opentelemetry/api";
import { suppressTracing } from "@opentelemetry/core";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { humanInTheLoopMiddleware } from "langchain";
import { beforeEach, describe, expect, it } from "vitest";
import { labelTools } from "../../../src/adapters/langchain.ts";
import { canonicalFp } from "../../../src/index.ts";
import { type ScenarioId, scenario } from "../scenario.ts";
import { createAgent, question, scripted, search, searchTool, tool, z } from "./agents.ts";
import { expectNoOtherLabels, inRequest, inRun, labelsOf, takeSpans, verified } from "./tracing.ts";

/** An instrumentation under test. */
export interface Instrumentation {
  readonly name: string;
  /** Its row in the table of frameworks. */
  readonly row: string | undefined;
  /** True for the span of a tool call. */
  isTool(span: ReadableSpan): boolean;
  /** Where handlers are given per call: what goes into the config of `invoke`. */
  config(): { callbacks?: never[] };
  /** The spans of the agent "delegate", where a tool's agent can be reached. */
  isDelegate: ((span: ReadableSpan) => boolean) | undefined;
  /** Whether the spans of two runs at one time are in their own traces. */
  readonly keepsRunsApart: boolean;
}

const expectPass = (spans: readonly ReadableSpan[]): void => {
  const report = verified(spans);
  const faults = report.checks.filter(({ outcome }) => outcome === "fail");
  expect(faults.map(({ id, findings }) => [id, findings])).toEqual([]);
  expect(report.verdict).toBe("pass");
};

const byStep = (spans: readonly ReadableSpan[]): ReadableSpan[] =>
  [...spans].sort(
    (a, b) => Number(a.attributes["trustabl.step_index"]) - Number(b.attributes["trustabl.step_index"]),
  );

/** The result that the instrumentation captured on a tool's span. */
const captured = (span: ReadableSpan): string | undefined =>
  /#[^#]+#/.exec(JSON.stringify(span.attributes))?.[0];

export function describeScenarios({
  name,
  row,
  isTool,
  config,
  isDelegate,
  keepsRunsApart,
}: Instrumentation): void {
  const shows = (...ids: ScenarioId[]) => (row === undefined ? {} : scenario(row, ids));
  const tools = labelTools([searchTool], { search: { sideEffect: "read" } });

  /** Every scenario: where labels are, where none are, and what the verifier says. */
  const check = (
    spans: readonly ReadableSpan[],
    calls: number,
    others: readonly ReadableSpan[] = [],
  ): ReadableSpan[] => {
    const toolSpans = byStep(spans.filter(isTool));
    expect(toolSpans).toHaveLength(calls);
    const roots = spans.filter((span) => span.name === "invoke_agent helper");
    expectNoOtherLabels(spans, [...toolSpans, ...roots, ...others]);
    for (const span of toolSpans) expect(labelsOf(span)).toHaveProperty(["trustabl.tool.input_fp"]);
    expect(verified(spans).examined.toolSpans).toBe(calls);
    expectPass(spans);
    return toolSpans;
  };

  describe(`LangChain with ${name}`, () => {
    // What a failed test left is none of the next one's.
    beforeEach(async () => {
      await takeSpans();
    });

    it(
      "labels three identical calls in sequence with their attempts",
      shows("sequence", "application-span"),
      async () => {
        const agent = createAgent({ model: scripted([search("c1")], [search("c2")], [search("c3")]), tools });
        await inRequest(() => inRun(() => agent.invoke(question, config())));
        const spans = check(await takeSpans(), 3);
        for (const [index, span] of spans.entries()) {
          expect(labelsOf(span)).toMatchObject({
            "trustabl.tool.attempt": index + 1,
            "trustabl.step_index": index,
            "trustabl.tool.input_fp": canonicalFp({ q: "x" }),
            "trustabl.tool.output_fp": canonicalFp(`#x-c${index + 1}#`),
            "trustabl.tool.side_effect": "read",
          });
          expect(captured(span)).toBe(`#x-c${index + 1}#`);
        }
      },
    );

    it("does not mix up calls at the same time", shows("parallel"), async () => {
      const ids = ["c1", "c2", "c3", "c4", "c5", "c6"];
      const agent = createAgent({ model: scripted(ids.map((id) => search(id))), tools });
      await inRequest(() => inRun(() => agent.invoke(question, config())));
      const spans = check(await takeSpans(), 6);
      expect(spans.map((span) => span.attributes["trustabl.tool.attempt"])).toEqual([1, 2, 3, 4, 5, 6]);
      expect(new Set(spans.map(captured)).size).toBe(6);
      for (const span of spans) {
        expect(labelsOf(span)["trustabl.tool.output_fp"]).toBe(canonicalFp(captured(span)));
      }
    });

    it(
      "labels a tool that throws, by its facts, and leaves the error to LangChain",
      shows("throws"),
      async () => {
        const failure = Object.assign(new Error("no"), { status: 503 });
        const failing = tool(
          () => {
            throw failure;
          },
          { name: "search", description: "Fails.", schema: z.object({ q: z.string() }) },
        );
        const agent = createAgent({ model: scripted([search("c1")]), tools: labelTools([failing]) });
        const { messages } = await inRun(() => agent.invoke(question, config()));
        expect(messages.find((message) => message.getType() === "tool")?.text).toContain("Error: no");
        const [span] = check(await takeSpans(), 1);
        expect(labelsOf(span)).toMatchObject({
          "trustabl.tool.error_class": "5xx",
          "trustabl.tool.output_fp": canonicalFp(null),
        });
      },
    );

    it("labels a failure that is returned", shows("returned-failure"), async () => {
      const failing = tool(() => ({ isError: true, status: 401 }) as never, {
        name: "search",
        description: "Fails.",
        schema: z.object({ q: z.string() }),
      });
      const agent = createAgent({ model: scripted([search("c1")]), tools: labelTools([failing]) });
      await inRun(() => agent.invoke(question, config()));
      const [span] = check(await takeSpans(), 1);
      expect(labelsOf(span)).toMatchObject({ "trustabl.tool.error_class": "auth" });
    });

    it("labels calls while the agent streams", shows("streaming"), async () => {
      const agent = createAgent({ model: scripted([search("c1")]), tools });
      await inRun(async () => {
        for await (const part of await agent.stream(question, config())) void part;
      });
      const [span] = check(await takeSpans(), 1);
      expect(labelsOf(span)["trustabl.tool.output_fp"]).toBe(canonicalFp("#x-c1#"));
    });

    it("keeps the counters of two runs at the same time apart", shows("two-runs"), async () => {
      const runIds: string[] = [];
      const one = (q: string) =>
        inRequest(() =>
          inRun((run) => {
            runIds.push(run.runId);
            const agent = createAgent({ model: scripted([search("c1", q)], [search("c2", q)]), tools });
            return agent.invoke(question, config());
          }),
        );
      await Promise.all([one("a"), one("b")]);
      const spans = await takeSpans();
      const toolSpans = byStep(spans.filter(isTool));
      expect(toolSpans).toHaveLength(4);
      for (const [index, q] of ["a", "b"].entries()) {
        const own = toolSpans.filter((span) => captured(span)?.startsWith(`#${q}-`));
        expect(own.map((span) => span.attributes["trustabl.run_id"])).toEqual([runIds[index], runIds[index]]);
        expect(own.map((span) => span.attributes["trustabl.step_index"])).toEqual([0, 1]);
        expect(own.map((span) => span.attributes["trustabl.tool.attempt"])).toEqual([1, 2]);
      }
      const roots = spans.filter((span) => span.name === "invoke_agent helper");
      expectNoOtherLabels(spans, [...toolSpans, ...roots]);
      if (keepsRunsApart) expectPass(spans);
    });

    it(
      "counts on through an agent that a tool calls, and marks that agent where its span can be reached",
      isDelegate === undefined ? {} : shows("delegation"),
      async () => {
        const delegate = createAgent({ model: scripted([search("c1")]), tools, name: "delegate" });
        const asking = tool(async () => (await delegate.invoke(question)).messages.at(-1)?.text, {
          name: "ask",
          description: "Asks another agent.",
          schema: z.object({ q: z.string() }),
        });
        const agent = createAgent({
          model: scripted([{ name: "ask", args: { q: "x" }, id: "a1" }], [search("c2")]),
          tools: [...labelTools([asking]), ...tools],
          name: "main",
        });
        await inRequest(() => inRun(() => agent.invoke(question, config())));
        const all = await takeSpans();
        const delegates = isDelegate === undefined ? [] : all.filter(isDelegate);
        expect(delegates).toHaveLength(isDelegate === undefined ? 0 : 1);
        for (const span of delegates) {
          expect(labelsOf(span)).toEqual({ "trustabl.handoff_id": expect.stringMatching(/^[0-9a-f-]{36}$/) });
        }
        const spans = check(all, 3, delegates);
        expect(
          spans.map(({ attributes }) => [
            attributes["trustabl.step_index"],
            attributes["trustabl.tool.attempt"],
          ]),
        ).toEqual([
          [0, 1],
          [1, 1],
          [2, 2],
        ]);
      },
    );

    it("labels a tool that is called without an agent", async () => {
      const [labelled] = tools;
      await inRun(() => labelled.invoke({ type: "tool_call", ...search("c1") }, config() as never));
      check(await takeSpans(), 1);
    });

    it(
      "lets an approval be refused: no tool runs and nothing is labelled",
      shows("approval-refused"),
      async () => {
        const { agent, answer } = approvable();
        await inRun(() => agent.invoke(question, answer.config));
        await inRun(() => agent.invoke(answer.refuse, answer.config));
        const spans = await takeSpans();
        expect(spans.filter(isTool)).toEqual([]);
        expectNoOtherLabels(
          spans,
          spans.filter((span) => span.name === "invoke_agent helper"),
        );
      },
    );

    it(
      "labels the call that an approval lets through, in the run that resumed",
      shows("approval-granted"),
      async () => {
        const { agent, answer } = approvable();
        await inRun(() => agent.invoke(question, answer.config));
        expect((await takeSpans()).filter(isTool)).toEqual([]);
        await inRun(() => agent.invoke(answer.approve, answer.config));
        const [span] = check(await takeSpans(), 1);
        expect(labelsOf(span)).toMatchObject({ "trustabl.tool.attempt": 1, "trustabl.step_index": 0 });
      },
    );

    it("takes an interrupt inside a tool for no failure, and counts the call again where it runs again", async () => {
      const seen: unknown[] = [];
      const asking = tool(
        ({ q }) => {
          try {
            return `#${q}-${String(interrupt("sure?"))}#`;
          } catch (error) {
            seen.push(error);
            throw error;
          }
        },
        { name: "search", description: "Asks.", schema: z.object({ q: z.string() }) },
      );
      const agent = createAgent({
        model: scripted([search("c1")]),
        tools: labelTools([asking], { search: { errorClass: () => "4xx" } }),
        checkpointer: new MemorySaver(),
      });
      const thread = { ...config(), configurable: { thread_id: "1" } };
      await inRun(async () => {
        const stopped = await agent.invoke(question, thread);
        expect(stopped).toHaveProperty("__interrupt__");
        expect(seen.map(isGraphInterrupt)).toEqual([true]);
        await agent.invoke(new Command({ resume: "yes" }), thread);
      });
      const [first, second] = check(await takeSpans(), 2);
      expect(labelsOf(first)).not.toHaveProperty(["trustabl.tool.error_class"]);
      expect(labelsOf(first)["trustabl.tool.attempt"]).toBe(1);
      expect(labelsOf(second)).toMatchObject({
        "trustabl.tool.attempt": 2,
        "trustabl.tool.error_class": "4xx",
        "trustabl.tool.output_fp": canonicalFp("#x-yes#"),
      });
    });

    it("writes nothing and throws nothing where tracing is suppressed", shows("telemetry-off"), async () => {
      const agent = createAgent({ model: scripted([search("c1")], [search("c2")]), tools });
      const { messages } = await context.with(suppressTracing(context.active()), () =>
        inRequest(() => inRun(() => agent.invoke(question, config()))),
      );
      expect(messages.at(-1)?.text).toBe("done");
      expect(await takeSpans()).toEqual([]);
    });

    const approvable = () => {
      const agent = createAgent({
        model: scripted([search("c1")]),
        tools,
        middleware: [humanInTheLoopMiddleware({ interruptOn: { search: true } })],
        checkpointer: new MemorySaver(),
      });
      const decide = (decision: object) => new Command({ resume: { decisions: [decision] } });
      return {
        agent,
        answer: {
          config: { ...config(), configurable: { thread_id: "1" } },
          approve: decide({ type: "approve" }),
          refuse: decide({ type: "reject", message: "no" }),
        },
      };
    };
  });
}
