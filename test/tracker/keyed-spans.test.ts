import { describe, expect, it } from "vitest";
import type { LabelSpan } from "../../src/labels/span.ts";
import { KeyedSpans } from "../../src/tracker/keyed-spans.ts";

let count = 0;

/** A span that gets its attributes after it has started, as bridges do. */
function newSpan(
  attributes: Record<string, unknown> = {},
): LabelSpan & { attributes: Record<string, unknown> } {
  count += 1;
  const spanId = count.toString(16).padStart(16, "0");
  return {
    attributes,
    isRecording: () => true,
    setAttribute: () => {},
    addEvent: () => {},
    spanContext: () => ({ traceId: "1".padStart(32, "0"), spanId, traceFlags: 1 }),
  } as never;
}

const tool = { "openinference.span.kind": "TOOL" };
const nextMicrotasks = () => new Promise((resolve) => setImmediate(resolve));

describe("spans by a key of the framework", () => {
  it("are found once they are recognisably a tool's", () => {
    const spans = new KeyedSpans();
    const span = newSpan();
    spans.propose("a", span);
    expect(spans.find("a")).toBeUndefined();
    Object.assign(span.attributes, tool);
    expect(spans.find("a")).toBe(span);
    expect(spans.find("b")).toBeUndefined();
  });

  it("give way to the tool's span, and not the other way round", () => {
    const spans = new KeyedSpans();
    const [other, own, later] = [newSpan(), newSpan(tool), newSpan(tool)];
    for (const span of [other, own, later]) spans.propose("a", span);
    expect(spans.find("a")).toBe(own);
    spans.remove(other);
    spans.remove(later);
    expect(spans.find("a")).toBe(own);
    spans.remove(own);
    expect(spans.find("a")).toBeUndefined();
    expect(spans.size).toEqual({ live: 0, waiting: 0 });
  });

  it("are given to those who wait, each once, after the bridge has set what it sets", async () => {
    const spans = new KeyedSpans();
    const got: LabelSpan[] = [];
    const cancel = spans.wait("a", (span) => got.push(span));
    spans.wait("a", (span) => got.push(span));
    spans.wait("b", (span) => got.push(span));
    const span = newSpan();
    spans.propose("a", span);
    Object.assign(span.attributes, tool);
    expect(got).toEqual([]);
    await nextMicrotasks();
    expect(got).toEqual([span, span]);
    cancel();
    expect(spans.size).toEqual({ live: 1, waiting: 1 });
  });

  it("are not given to those who stopped waiting, nor when they are no tool's", async () => {
    const spans = new KeyedSpans();
    const got: LabelSpan[] = [];
    spans.wait("a", (span) => got.push(span))();
    spans.propose("a", newSpan(tool));
    spans.wait("b", (span) => got.push(span));
    spans.propose("b", newSpan());
    await nextMicrotasks();
    expect(got).toEqual([]);
  });

  it("are forgotten, the oldest first, when too many never end", () => {
    const spans = new KeyedSpans();
    for (let index = 0; index < 10_010; index += 1) {
      spans.propose(`key ${index}`, newSpan(tool));
      spans.wait(`other ${index}`, () => {});
    }
    expect(spans.size).toEqual({ live: 10_000, waiting: 10_000 });
    expect(spans.find("key 0")).toBeUndefined();
    expect(spans.find("key 10009")).toBeDefined();
  });

  it("that do not record, or have no id, are nobody's", () => {
    const spans = new KeyedSpans();
    spans.propose("a", { ...newSpan(tool), isRecording: () => false } as LabelSpan);
    spans.propose("b", { isRecording: () => true, attributes: tool } as never);
    expect(spans.find("a")).toBeUndefined();
    expect(spans.find("b")).toBeUndefined();
  });
});
