import { diag } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import { report } from "../../src/labels/diagnostics.ts";
import { hearDiagnostics, ownMessages } from "../support/diagnostics.ts";

describe("diagnostics", () => {
  it("say one kind once", () => {
    const heard = hearDiagnostics();
    report("a", "", () => "first");
    report("a", "", () => "again");
    report("b", "", () => "second");
    expect(ownMessages(heard)).toEqual([
      "agent-reliability-otel-labels: first",
      "agent-reliability-otel-labels: second",
    ]);
  });

  it("do not count as said what no logger heard", () => {
    diag.disable();
    report("early", "", () => expect.fail("a message that nobody hears is not made"));
    const heard = hearDiagnostics();
    report("early", "", () => "now");
    expect(ownMessages(heard)).toHaveLength(1);
  });

  it("stop after 1,000 kinds, and say that", () => {
    const heard = hearDiagnostics();
    for (let kind = 0; kind < 2_000; kind += 1) report("kind", String(kind), () => `message ${kind}`);
    expect(ownMessages(heard)).toHaveLength(1_001);
    expect(heard.at(-1)).toContain("no more are shown");
  });

  it("survive a logger that throws", () => {
    const fail = () => {
      throw new Error("disk full");
    };
    diag.setLogger(
      { error: fail, warn: fail, info: fail, debug: fail, verbose: fail },
      { suppressOverrideMessage: true },
    );
    expect(() => report("x", "", () => "x")).not.toThrow();
  });
});
