import { observe } from "@langfuse/tracing";
import { context, type Span, trace } from "@opentelemetry/api";
import { beforeEach, describe, expect, it } from "vitest";
import { canonicalFp, markHandoff, type Run, startRun, withRun, wrapTool } from "../../../src/index.ts";
import { hearDiagnostics, ownMessages } from "../../support/diagnostics.ts";
import {
  checked,
  counts,
  expectOnly,
  inRequest,
  isDelegated,
  labelsOf,
  startTracing,
  takeSpans,
} from "../recipe-tracing.ts";
import { scenario } from "../scenario.ts";
import { answer } from "./langfuse-documented.ts";

const ROW = "Langfuse observe 5.11";
startTracing();

type Input = { q: string; id?: string };
const tool = (
  execute: (input: Input) => unknown = async ({ q }) => `#${q}#`,
  definition: { errorClass?: (error: unknown, result: unknown) => "auth" | undefined } = {},
  name = "search",
) =>
  observe(wrapTool({ name, ...definition }, execute), { name, asType: "tool" }) as (
    input: Input,
  ) => Promise<unknown>;
const agent = <Result>(fn: (run: Run) => Promise<Result>, name = "helper") =>
  observe(() => withRun(trace.getActiveSpan(), fn), { name, asType: "agent" })();
const isTool = ({ attributes }: { attributes: Record<string, unknown> }) =>
  attributes["langfuse.observation.type"] === "tool";

describe("Langfuse's observe", () => {
  beforeEach(() => void takeSpans());

  it(
    "has its calls numbered, and counted when they are identical",
    scenario(ROW, ["sequence", "application-span"]),
    async () => {
      const search = tool();
      await inRequest(() =>
        agent(async () => {
          for (let index = 0; index < 3; index += 1) await search({ q: "x" });
        }),
      );
      const spans = checked(takeSpans(), isTool, 3);
      expect(counts(spans)).toEqual([
        [0, 1],
        [1, 2],
        [2, 3],
      ]);
      expect(labelsOf(spans[0])).toMatchObject({
        "trustabl.tool.input_fp": canonicalFp({ q: "x" }),
        "trustabl.tool.output_fp": canonicalFp("#x#"),
      });
    },
  );

  it("does not mix up calls at the same time", scenario(ROW, "parallel"), async () => {
    let calls = 0;
    const search = tool(async ({ q }) => {
      const call = ++calls;
      await new Promise((resolve) => setTimeout(resolve, 10 - call));
      return `#${q}-${call}#`;
    });
    await agent(() => Promise.all(Array.from({ length: 5 }, () => search({ q: "x" }))));
    const spans = checked(takeSpans(), isTool, 5);
    expect(spans.map((span) => span.attributes["trustabl.tool.attempt"])).toEqual([1, 2, 3, 4, 5]);
    const outputs = spans.map(({ attributes }) =>
      String(attributes["langfuse.observation.output"]).replaceAll('"', ""),
    );
    expect(new Set(outputs).size).toBe(5);
    expect(spans.map((span) => span.attributes["trustabl.tool.output_fp"])).toEqual(
      outputs.map((text) => canonicalFp(text)),
    );
  });

  it("has the class of what a tool throws", scenario(ROW, "throws"), async () => {
    const error = Object.assign(new Error("no"), { status: 503 });
    const search = tool(async () => {
      throw error;
    });
    await expect(agent(() => search({ q: "x" }))).rejects.toBe(error);
    const [span] = checked(takeSpans(), isTool, 1);
    expect(labelsOf(span)).toMatchObject({
      "trustabl.tool.error_class": "5xx",
      "trustabl.tool.output_fp": canonicalFp(null),
    });
  });

  it("has the class of a failure that a tool returns", scenario(ROW, "returned-failure"), async () => {
    const search = tool(async () => ({ isError: true, status: 401 }));
    await agent(() => search({ q: "x" }));
    expect(labelsOf(checked(takeSpans(), isTool, 1)[0])).toMatchObject({
      "trustabl.tool.error_class": "auth",
    });
  });

  it(
    "marks an agent that a tool runs, and counts its calls in the run",
    scenario(ROW, "delegation"),
    async () => {
      const search = tool();
      const specialist = observe(
        async () => {
          // Langfuse says that a span is an agent's after it has started, too late for the span tracker.
          markHandoff(trace.getActiveSpan(), crypto.randomUUID());
          await search({ q: "x" });
        },
        { name: "specialist", asType: "agent" },
      );
      const ask = tool(
        async () => {
          await specialist();
          return "asked";
        },
        {},
        "ask",
      );
      await agent(async () => {
        await ask({ q: "x" });
        await search({ q: "x" });
      });
      const all = takeSpans();
      expect(all.filter(isDelegated).map(({ name }) => name)).toEqual(["specialist"]);
      expect(counts(checked(all, isTool, 3))).toEqual([
        [0, 1],
        [1, 1],
        [2, 2],
      ]);
    },
  );

  it(
    "is labelled in an agent that streams its answer, with a run that is ended by hand",
    scenario(ROW, "streaming"),
    async () => {
      const search = tool();
      // The body of a generator runs where it is read, and not in the observation, which would be over by then.
      async function* parts(root: Span | undefined) {
        const run = startRun(root);
        const inside = root === undefined ? context.active() : trace.setSpan(context.active(), root);
        yield "searching ";
        yield String(await context.with(inside, () => run.with(() => search({ q: "x" }))));
        run.end("final_answer");
        root?.end();
      }
      const streaming = observe(() => parts(trace.getActiveSpan()), {
        name: "helper",
        asType: "agent",
        endOnExit: false,
      });
      let text = "";
      for await (const part of streaming()) text += part;
      expect(text).toBe("searching #x#");
      expect(counts(checked(takeSpans(), isTool, 1))).toEqual([[0, 1]]);
    },
  );

  it("keeps runs at the same time apart", scenario(ROW, "two-runs"), async () => {
    const search = tool(async ({ q }) => {
      await new Promise(setImmediate);
      return `#${q}#`;
    });
    const runIds = new Map<string, string>();
    const one = (q: string) =>
      agent(async (run) => {
        runIds.set(q, run.runId);
        await search({ q });
        await search({ q });
      });
    await Promise.all(["a", "b"].map(one));
    const spans = checked(takeSpans(), isTool, 4);
    for (const q of ["a", "b"]) {
      const own = spans.filter(
        ({ attributes }) => attributes["trustabl.tool.input_fp"] === canonicalFp({ q }),
      );
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

  it("is not labelled where a function is observed first and wrapped then: no span of its own is active", async () => {
    const messages = hearDiagnostics();
    const observed = observe(async ({ q }: Input) => `#${q}#`, { name: "around", asType: "tool" });
    const search = wrapTool({ name: "around" }, observed);
    await agent(() => search({ q: "x" }));
    const spans = takeSpans();
    expectOnly(spans, ({ attributes }) => attributes["langfuse.observation.type"] === "agent");
    expect(spans.some(isTool)).toBe(true);
    expect(ownMessages(messages)).toEqual([expect.stringContaining('a call of the tool "around"')]);
  });

  it("runs the documented recipe", async () => {
    expect(await answer(["JFK", "SFO"])).toBe("done");
    const spans = checked(takeSpans(), isTool, 2);
    expect(spans.map((span) => labelsOf(span)["trustabl.tool.side_effect"])).toEqual(["read", "read"]);
  });
});
