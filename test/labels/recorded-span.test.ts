import { diag } from "@opentelemetry/api";
import { afterEach, describe, expect, it } from "vitest";
import { RecordedSpan } from "../../src/labels/recorded-span.ts";
import type { LabelSpan } from "../../src/labels/span.ts";
import { hearDiagnostics } from "../support/diagnostics.ts";

function liveSpan({ recording = true, throws = false } = {}) {
  const written: unknown[] = [];
  const write = (...what: unknown[]) => {
    if (throws) throw new Error("span");
    written.push(what);
  };
  const span: LabelSpan = { isRecording: () => recording, setAttribute: write, addEvent: write };
  return { span, written };
}

afterEach(() => diag.disable());

describe("A recorded span", () => {
  it("keeps what is written, with the time of events", () => {
    const before = BigInt(Date.now()) * 1_000_000n;
    const recorded = new RecordedSpan();
    recorded.setAttribute("a", 1);
    recorded.addEvent("e", { b: true });
    expect(recorded.attributes).toEqual({ a: 1 });
    expect(recorded.events).toMatchObject([{ name: "e", attributes: { b: true } }]);
    expect(recorded.events[0]?.timeUnixNano).toBeGreaterThanOrEqual(before);
  });

  it("gives a live span what was written before and after", () => {
    const recorded = new RecordedSpan();
    const { span, written } = liveSpan();
    recorded.setAttribute("a", 1);
    recorded.addEvent("e", {});
    recorded.attach(span);
    recorded.setAttribute("b", 2);
    expect(recorded.isAttached).toBe(true);
    expect(written).toEqual([
      ["a", 1],
      ["e", {}],
      ["b", 2],
    ]);
    recorded.release();
    recorded.setAttribute("c", 3);
    expect(written).toHaveLength(3);
  });

  it("keeps a live span's fault to itself, and says what was lost", () => {
    const messages = hearDiagnostics();
    const recorded = new RecordedSpan();
    const ended = liveSpan({ recording: false });
    recorded.attach(ended.span);
    recorded.attach(liveSpan({ throws: true }).span);
    recorded.setAttribute("trustabl.run_id", "r");
    recorded.addEvent("trustabl.policy.binding", {});
    expect(ended.written).toEqual([]);
    expect(messages).toHaveLength(4);
    expect(messages[0]).toContain("trustabl.run_id was left out: the span ended before the label was known");
  });
});
