import { describe, expect, it } from "vitest";
import { type SpanView, verify } from "../../src/verify/index.ts";
import { agent, call, root, span, UNLABELLED } from "./support/build.ts";

const COUNT = 12_000;
const many = (make: (index: number) => SpanView): SpanView[] =>
  Array.from({ length: COUNT }, (_, index) => ({ ...make(index), spanId: `s${index}` }));

// Each of these takes minutes where a check compares every span with every other.
describe("a trace that is made to be slow", () => {
  it.each<[string, () => SpanView[]]>([
    [
      "roots without an end",
      () =>
        many((index) =>
          root("r", { attributes: { "trustabl.run_id": `run ${index}`, "trustabl.exit_reason": undefined } }),
        ),
    ],
    [
      "runs inside runs",
      () =>
        many((index) => ({
          ...root("r", { attributes: { "trustabl.run_id": `run ${index}` } }),
          parentSpanId: `s${index - 1}`,
        })),
    ],
    [
      "calls inside calls of one tool",
      () =>
        many((index) => ({
          ...call("c", { attributes: { "gen_ai.tool.call.id": undefined } }),
          parentSpanId: `s${index - 1}`,
        })),
    ],
    [
      "MCP spans beside labelled calls",
      () => [
        ...many((index) =>
          index % 2 === 0
            ? call("c", { attributes: { "gen_ai.tool.call.id": `${index}` } })
            : span("m", { scope: "mcp", attributes: { "mcp.method.name": "tools/call" } }),
        ),
      ],
    ],
    [
      "one handoff id everywhere",
      () =>
        many((index) => ({
          ...agent("a", { attributes: { "trustabl.handoff_id": "same" } }),
          parentSpanId: `s${index - 1}`,
        })),
    ],
    [
      "different texts in labels and captured content",
      () =>
        many((index) =>
          call("c", {
            args: { note: `note number ${index}` },
            attributes: { "trustabl.handoff_id": `id number ${index}` },
          }),
        ),
    ],
    ["overlapping roots of one run", () => many((index) => root("r", { start: index, end: 1_000_000 }))],
    ["one step for all", () => many(() => call("c"))],
    ["copies of one span", () => many(() => call("c")).map((one) => ({ ...one, spanId: "same" }))],
    ["unlabelled calls", () => many(() => call("c", { attributes: UNLABELLED }))],
  ])(
    "is judged in good time: %s",
    (_what, make) => {
      const begin = performance.now();
      verify(make());
      expect(performance.now() - begin).toBeLessThan(15_000);
    },
    60_000,
  );
});
