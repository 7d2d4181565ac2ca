/** An agent that is a tool of another, where the tool is a generator: its body runs in the context of whoever reads it. */
import { context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { canonicalFp, withRun, wrapTool } from "../../src/index.ts";
import { ToolSpanTracker, withHandoff } from "../../src/tracker/index.ts";
import { hearDiagnostics, ownMessages } from "../support/diagnostics.ts";
import { sdk2 } from "../support/sdks-here.ts";
import {
  inSpan,
  labelsOf,
  type TestTracing,
  toolSpanAttributes,
  useContextManager,
} from "../support/tracing.ts";

useContextManager();

const agent = { "gen_ai.operation.name": "invoke_agent" };
let tracing: TestTracing;
let heard: string[];
beforeEach(() => {
  tracing = sdk2.open({ processors: [new ToolSpanTracker()] });
  heard = hearDiagnostics();
});
afterEach(() => tracing.close());

const search = wrapTool({ name: "search" }, async ({ q }: { q: string }) => `found ${q}`);
const callSearch = (q: string) =>
  inSpan(tracing.tracer, "execute_tool search", { ...toolSpanAttributes("search"), q }, () => search({ q }));
const specialist = (q: string) => inSpan(tracing.tracer, `invoke_agent ${q}`, agent, () => callSearch(q));

/** Calls `tool` in its own span, and reads what it yields with that span no longer active, as frameworks do. */
async function readOutside(
  tool: () => AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>,
  reader = context.active(),
) {
  const span = tracing.tracer.startSpan("execute_tool research", {
    attributes: toolSpanAttributes("research"),
  });
  const stream = context.with(trace.setSpan(context.active(), span), tool);
  const parts: unknown[] = [];
  await context.with(reader, async () => {
    for await (const part of await stream) parts.push(part);
  });
  span.end();
  return parts;
}
const inRun = (inside: () => Promise<unknown>) =>
  inSpan(tracing.tracer, "invoke_agent helper", agent, (root) => withRun(root, inside, { runId: "outer" }));
const labelsByName = (name: string) =>
  tracing
    .finished()
    .filter((span) => span.name.startsWith(name))
    .map(labelsOf);

describe.each([
  ["the outer agent's run", () => context.active()],
  ["a context that knows nothing", () => ROOT_CONTEXT],
])("a tool that is a generator, read in %s", (_where, reader) => {
  it("has the calls that it makes after it has yielded counted in its run", async () => {
    const research = wrapTool({ name: "research" }, async function* () {
      for (const q of ["a", "b", "c"]) yield await callSearch(q);
    });
    await inRun(async () => {
      expect(await readOutside(() => research(), reader())).toEqual(["found a", "found b", "found c"]);
    });
    expect(labelsByName("execute_tool search")).toEqual(
      ["a", "b", "c"].map((q, before) => ({
        "trustabl.run_id": "outer",
        "trustabl.step_index": before + 1,
        "trustabl.tool.attempt": 1,
        "trustabl.tool.input_fp": canonicalFp({ q }),
        "trustabl.tool.output_fp": canonicalFp(`found ${q}`),
      })),
    );
    expect(labelsByName("execute_tool research")).toEqual([
      expect.objectContaining({
        "trustabl.step_index": 0,
        "trustabl.tool.output_fp": canonicalFp("found c"),
      }),
    ]);
    expect(ownMessages(heard)).toEqual([]);
  });

  it("has the calls that it makes counted in its run, also where it had to be waited for", async () => {
    const research = wrapTool({ name: "research" }, async () =>
      (async function* () {
        for (const q of ["a", "b"]) yield await callSearch(q);
      })(),
    );
    await inRun(async () => {
      expect(await readOutside(() => research(), reader())).toEqual(["found a", "found b"]);
    });
    expect(labelsByName("execute_tool search").map((labels) => labels["trustabl.run_id"])).toEqual([
      "outer",
      "outer",
    ]);
    expect(labelsByName("execute_tool research")).toEqual([
      expect.objectContaining({ "trustabl.tool.output_fp": canonicalFp("found b") }),
    ]);
    expect(ownMessages(heard)).toEqual([]);
  });

  it("has each agent marked that it delegates to, whether that is a promise or a generator itself", async () => {
    const research = wrapTool({ name: "research" }, async function* () {
      yield await withHandoff(() => specialist("a"), "handoff-a");
      yield* withHandoff(async function* () {
        yield "thinking";
        yield await specialist("b");
      }, "handoff-b");
    });
    await inRun(() => readOutside(() => research(), reader()));
    expect(labelsByName("invoke_agent a")).toEqual([{ "trustabl.handoff_id": "handoff-a" }]);
    expect(labelsByName("invoke_agent b")).toEqual([{ "trustabl.handoff_id": "handoff-b" }]);
    expect(labelsByName("execute_tool search").map((labels) => labels["trustabl.run_id"])).toEqual([
      "outer",
      "outer",
    ]);
  });
});
