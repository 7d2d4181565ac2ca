import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOtlp, type SpanView, verify } from "../../src/verify/index.ts";
import { call, root } from "./support/build.ts";
import { labelExport } from "./support/label-export.ts";
import { fixture, removeAttribute, setAttribute, spansOf } from "./support/otlp.ts";

/** Exports with something to find, so that findings have an order too. */
function exports(): SpanView[][] {
  const damaged = [
    "ai-sdk-7-nested",
    "openai-agents-as-tool",
    "langchain-traceloop-sequential",
    "adk-parallel",
  ].map((name) => {
    const otlp = labelExport(fixture(name));
    for (const [index, { span }] of spansOf(otlp).entries()) {
      if (index % 3 === 0) removeAttribute(span, /tool\.attempt|exit_reason/);
      if (index % 4 === 1) setAttribute(span, "trustabl.run_id", "00000000000000ff");
    }
    return [...readOtlp(otlp).spans];
  });
  const trace = "22222222222222222222222222222222";
  const resumed = [
    root("root", { end: 50 }),
    call("a"),
    call("b", { step: 1 }),
    root("later", { trace, start: 20, end: 900 }),
    call("c", { trace, parent: "later", step: 1, start: 700 }),
    call("a", { attributes: { "trustabl.tool.attempt": undefined } }),
  ];
  return [...damaged, resumed, [...readOtlp(fixture("ai-sdk-6-labelled")).spans]];
}

describe("the order of spans in the input", () => {
  it("changes nothing in the report, as long as they fit into the window", () => {
    for (const spans of exports()) {
      const expected = verify(spans);
      const order = fc.array(fc.nat(), { minLength: spans.length, maxLength: spans.length });
      fc.assert(
        fc.property(order, (keys) => {
          const shuffled = spans
            .map((span, index) => ({ span, key: keys[index] as number }))
            .sort((a, b) => a.key - b.key)
            .map(({ span }) => span);
          expect(verify(shuffled)).toEqual(expected);
        }),
        { numRuns: 60 },
      );
    }
  });
});
