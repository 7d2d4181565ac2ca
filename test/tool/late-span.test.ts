import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { canonicalFp, wrapTool } from "../../src/index.ts";
import type { LabelSpan } from "../../src/labels/span.ts";
import { addToolSpanSource, removeToolSpanSource } from "../../src/tool/tool-span-source.ts";
import { hearDiagnostics, ownMessages } from "../support/diagnostics.ts";
import { sdk2 } from "../support/sdks-here.ts";
import { labelsOf, useContextManager } from "../support/tracing.ts";

useContextManager();
const tracing = sdk2.open();
afterAll(() => tracing.close());

/** A source whose span comes when the test says so. */
function newSource(waitsExactly: boolean) {
  const waiting = new Set<(span: LabelSpan) => void>();
  return {
    waitsExactly,
    waiting,
    find: () => undefined,
    wait: (_query: object, onSpan: (span: LabelSpan) => void) => {
      waiting.add(onSpan);
      return () => void waiting.delete(onSpan);
    },
  };
}
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await undefined;
};

describe("a call that has ended before its span starts", () => {
  let heard: string[];
  let source: ReturnType<typeof newSource>;
  const begin = (waitsExactly: boolean) => {
    source = newSource(waitsExactly);
    addToolSpanSource(source);
  };
  beforeEach(() => {
    heard = hearDiagnostics();
  });
  afterEach(() => removeToolSpanSource(source));

  /** The span of the call starts; returns its labels. */
  const spanStarts = () => {
    const span = tracing.tracer.startSpan("search");
    for (const onSpan of source.waiting) onSpan(span as LabelSpan);
    span.end();
    return labelsOf(tracing.finished().at(-1));
  };

  it("still gets its labels, of the result as it was, where the source knows the call for sure", async () => {
    begin(true);
    const found = ["a"];
    const search = wrapTool({ name: "search", sideEffect: "read" }, (_query: object) => found);
    expect(search({ q: 1 })).toBe(found);
    found.push("later");
    await turns(20);
    expect(spanStarts()).toEqual({
      "trustabl.tool.input_fp": canonicalFp({ q: 1 }),
      "trustabl.tool.output_fp": canonicalFp(["a"]),
      "trustabl.tool.side_effect": "read",
    });
    await turns(200);
    expect(source.waiting.size).toBe(0);
    expect(ownMessages(heard)).toEqual([]);
  });

  it("is labelled as failed when it threw", async () => {
    begin(true);
    const failure = Object.assign(new Error("no"), { status: 503 });
    const search = wrapTool({ name: "search" }, async () => {
      throw failure;
    });
    await expect(search()).rejects.toBe(failure);
    expect(spanStarts()).toMatchObject({ "trustabl.tool.error_class": "5xx" });
  });

  it("is given up after some turns, which is said", async () => {
    begin(true);
    wrapTool({ name: "search" }, () => "found")();
    await turns(50);
    expect([source.waiting.size, ownMessages(heard)]).toEqual([1, []]);
    await turns(100);
    expect(source.waiting.size).toBe(0);
    expect(ownMessages(heard)).toEqual([expect.stringContaining("no tool span was found")]);
  });

  it("is given up at once where the source could mean another call of the same id", async () => {
    begin(false);
    wrapTool({ name: "search" }, () => "found")();
    expect(source.waiting.size).toBe(0);
    expect(spanStarts()).toEqual({});
    await turns(5);
    expect(ownMessages(heard)).toEqual([expect.stringContaining("no tool span was found")]);
  });
});
