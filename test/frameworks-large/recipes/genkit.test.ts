import { trace } from "@opentelemetry/api";
import { z } from "genkit";
import { beforeEach, describe, expect, it } from "vitest";
import { canonicalFp, type Run, withRun, wrapTool } from "../../../src/index.ts";
import {
  checked,
  counts,
  inRequest,
  labelsOf,
  startTracing,
  takeSpans,
} from "../../frameworks/recipe-tracing.ts";
import { scenario } from "../../frameworks/scenario.ts";
import { defineTravel } from "./genkit-documented.ts";
import { ai, type ScriptedCall, scripted } from "./scripted-genkit.ts";

const ROW = "Genkit 1.42";
startTracing();

const inputSchema = z.object({ q: z.string() });
type Input = z.infer<typeof inputSchema>;
let defined = 0;

function tool(run: (input: Input) => unknown = async ({ q }) => `#${q}#`) {
  const name = `search_${defined++}`;
  return ai.defineTool(
    { name, description: "A tool.", inputSchema },
    wrapTool({ name }, async (input: Input) => run(input)),
  );
}
type Tool = ReturnType<typeof tool>;
const call = ({ __action: { name } }: Tool, ref: string, q = "x"): ScriptedCall => ({
  name,
  input: { q },
  ref,
});

/** A flow that is a run of an agent. */
const flow = <Result>(fn: (run: Run) => Promise<Result>): Promise<Result> =>
  ai.defineFlow(`flow_${defined++}`, () => withRun(trace.getActiveSpan(), fn))() as Promise<Result>;
const generate = (model: string, tools: Tool[]) => ai.generate({ model, prompt: "go", tools });
const isTool = ({ attributes }: { attributes: Record<string, unknown> }) =>
  attributes["genkit:metadata:subtype"] === "tool";

describe("Genkit", () => {
  beforeEach(() => void takeSpans());

  it(
    "has its calls numbered, and counted when they are identical",
    scenario(ROW, ["sequence", "application-span"]),
    async () => {
      const search = tool();
      const model = scripted([call(search, "1")], [call(search, "2")], [call(search, "3")]);
      await inRequest(() => flow(() => generate(model, [search])));
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

  it("does not mix up calls of one answer", scenario(ROW, "parallel"), async () => {
    let calls = 0;
    const search = tool(async ({ q }) => {
      const own = ++calls;
      await new Promise((resolve) => setTimeout(resolve, 10 - own));
      return `#${q}-${own}#`;
    });
    const model = scripted(["1", "2", "3", "4", "5"].map((ref) => call(search, ref)));
    await flow(() => generate(model, [search]));
    const spans = checked(takeSpans(), isTool, 5);
    expect(spans.map(({ attributes }) => attributes["trustabl.tool.attempt"])).toEqual([1, 2, 3, 4, 5]);
    const outputs = spans.map(({ attributes }) => JSON.parse(String(attributes["genkit:output"])) as string);
    expect(new Set(outputs).size).toBe(5);
    expect(spans.map(({ attributes }) => attributes["trustabl.tool.output_fp"])).toEqual(
      outputs.map((text) => canonicalFp(text)),
    );
  });

  it("has the class of what a tool throws, which ends the run", scenario(ROW, "throws"), async () => {
    const failing = tool(() => {
      throw Object.assign(new Error("no"), { status: 503 });
    });
    await expect(flow(() => generate(scripted([call(failing, "1")]), [failing]))).rejects.toThrow("no");
    const all = takeSpans();
    const [span] = checked(all, isTool, 1);
    expect(labelsOf(span)).toMatchObject({
      "trustabl.tool.error_class": "5xx",
      "trustabl.tool.output_fp": canonicalFp(null),
    });
    const root = all.find(({ attributes }) => attributes["genkit:isRoot"] === true);
    expect(labelsOf(root)["trustabl.exit_reason"]).toBe("error");
  });

  it("has the class of a failure that a tool returns", scenario(ROW, "returned-failure"), async () => {
    const failing = tool(() => ({ isError: true, status: 401 }));
    await flow(() => generate(scripted([call(failing, "1")]), [failing]));
    expect(labelsOf(checked(takeSpans(), isTool, 1)[0])).toMatchObject({
      "trustabl.tool.error_class": "auth",
    });
  });

  it("counts the calls of a flow that a tool runs in the run; no span of it is an agent's", async () => {
    const search = tool();
    const inner = ai.defineFlow(
      "inner",
      async () => (await generate(scripted([call(search, "1")]), [search])).text,
    );
    const ask = tool(() => inner());
    await flow(() => generate(scripted([call(ask, "1")], [call(search, "2")]), [ask, search]));
    expect(counts(checked(takeSpans(), isTool, 3))).toEqual([
      [0, 1],
      [1, 1],
      [2, 2],
    ]);
  });

  it("is labelled while it streams", scenario(ROW, "streaming"), async () => {
    const search = tool();
    const model = scripted([call(search, "1")]);
    let chunks = 0;
    await flow(async () => {
      const { stream, response } = ai.generateStream({ model, prompt: "go", tools: [search] });
      for await (const chunk of stream) if (chunk.content.length > 0) chunks += 1;
      return (await response).text;
    });
    expect(chunks).toBeGreaterThan(1);
    checked(takeSpans(), isTool, 1);
  });

  it("keeps runs at the same time apart", scenario(ROW, "two-runs"), async () => {
    const search = tool();
    const runIds = new Map<string, string>();
    const one = (q: string) =>
      flow((run) => {
        runIds.set(q, run.runId);
        return generate(scripted([call(search, "1", q)], [call(search, "2", q)]), [search]);
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

  describe("with an approval before the wrapped function", () => {
    const name = "pay";
    const pay = wrapTool({ name, sideEffect: "irreversible" }, async ({ q }: Input) => `paid ${q}`);
    const payTool = ai.defineTool(
      { name, description: "Pays.", inputSchema },
      async (input, { interrupt, resumed }) => {
        if (!resumed) interrupt({ asks: "sure?" });
        return pay(input);
      },
    );
    const waiting = async () => {
      const model = scripted([{ name, input: { q: "x" }, ref: "1" }]);
      const { interrupts, messages } = await flow(() =>
        ai.generate({ model, prompt: "go", tools: [payTool] }),
      );
      const [interrupted] = interrupts;
      if (interrupted === undefined) throw new Error("nobody was asked");
      const goOn = (resume: object) => flow(() => ai.generate({ model, messages, tools: [payTool], resume }));
      return { interrupted, goOn };
    };

    it("has no labels on the call that waits", async () => {
      await waiting();
      const spans = takeSpans();
      checked(spans, isTool, 1, ["may-not-have-run"]);
      expect(spans.filter(isTool).map(labelsOf)).toEqual([{}]);
    });

    it("that is granted, labels the call", scenario(ROW, "approval-granted"), async () => {
      const { interrupted, goOn } = await waiting();
      takeSpans();
      await goOn({ restart: [payTool.restart(interrupted, { approved: true })] });
      const spans = checked(takeSpans(), isTool, 1);
      expect(counts(spans)).toEqual([[0, 1]]);
      expect(labelsOf(spans[0])["trustabl.tool.output_fp"]).toBe(canonicalFp("paid x"));
    });

    it("that is refused, runs no tool and labels nothing", scenario(ROW, "approval-refused"), async () => {
      const { interrupted, goOn } = await waiting();
      takeSpans();
      const { text } = await goOn({ respond: [payTool.respond(interrupted, "refused")] });
      expect(text).toBe("done");
      checked(takeSpans(), isTool, 0);
    });
  });

  it("runs the documented recipe", async () => {
    const model = scripted([{ name: "search_flights", input: { to: "JFK" }, ref: "1" }]);
    expect(await defineTravel(ai, model)("go")).toBe("done");
    const [span] = checked(takeSpans(), isTool, 1);
    expect(labelsOf(span)["trustabl.tool.side_effect"]).toBe("read");
  });
});
