import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type CheckId, readOtlp, verify } from "../../src/verify/index.ts";
import { checksWith } from "./support/build.ts";
import { labelExport } from "./support/label-export.ts";
import { fixture, fixtureText } from "./support/otlp.ts";

const names = readdirSync(new URL("../fixtures/otlp/", import.meta.url))
  .filter((name) => name.endsWith(".json"))
  .map((name) => name.replace(/\.json$/, ""));

interface Expected {
  /** Tool calls that count. */
  readonly calls: number;
  /** Checks that cannot tell, once every call is labelled. */
  readonly unknown?: readonly CheckId[];
  readonly fails?: readonly CheckId[];
  /** Calls that ran no tool function: nothing could have labelled them. */
  readonly neverRan?: number;
  /** Calls that failed. */
  readonly failed?: number;
}

const noRoot = ["run-end-marked", "run-identity"] as const;

const EXPECTED: Readonly<Record<string, Expected>> = {
  "adk-parallel": { calls: 2 },
  "adk-sequential": { calls: 3 },
  "adk-throws": { calls: 1, failed: 1, unknown: ["fingerprint-true"] },
  // ADK hands over by another name below the agent, which nothing but a mark tells apart: a warning.
  "adk-transfer": { calls: 1, fails: ["handoff-marked"] },
  "ai-sdk-6-abort": { calls: 1 },
  "ai-sdk-6-approval": { calls: 1 },
  "ai-sdk-6-invalid-arguments": { calls: 0 },
  "ai-sdk-6-parallel": { calls: 4 },
  "ai-sdk-6-provider-executed": { calls: 0 },
  "ai-sdk-6-sampled-out": { calls: 0 },
  "ai-sdk-6-telemetry-off": { calls: 0 },
  "ai-sdk-7-nested": { calls: 2 },
  "ai-sdk-7-provider-executed": { calls: 0 },
  "ai-sdk-7-sequential": { calls: 3 },
  "ai-sdk-7-throws": { calls: 2, failed: 2 },
  "anthropic-tool-runner-sequential": { calls: 3, unknown: ["fingerprint-true"] },
  "claude-native-denied": { calls: 1, neverRan: 1, unknown: ["fingerprint-true"] },
  "claude-native-error": { calls: 2, failed: 2, unknown: ["fingerprint-true"] },
  "claude-native-subagent": { calls: 3, unknown: ["fingerprint-true"] },
  "claude-openinference-denied": { calls: 1, neverRan: 1 },
  "claude-openinference-parallel": { calls: 3 },
  "langchain-openinference-interrupt": { calls: 2, neverRan: 1 },
  "langchain-openinference-subagent": { calls: 2 },
  "langchain-openinference-throws": { calls: 1, failed: 1 },
  // Every span is a trace of its own, and the agent's cannot be told from its parts.
  "langchain-traceloop-sequential": { calls: 3, unknown: noRoot },
  "mastra-bridge-sequential": { calls: 3 },
  "mastra-bridge-throws": { calls: 1, failed: 1 },
  "mcp-traceloop-error": { calls: 3, neverRan: 1, failed: 2, unknown: noRoot },
  "mcp-traceloop-sequential": { calls: 3, unknown: noRoot },
  "openai-agents-approved": { calls: 1 },
  "openai-agents-as-tool": { calls: 2 },
  "openai-agents-handoff": { calls: 1 },
  "openai-agents-invalid-arguments": { calls: 2, neverRan: 2 },
  "openai-agents-mcp": { calls: 1 },
  "openai-agents-openlit": { calls: 5 },
  "openai-agents-parallel": { calls: 4 },
  "openai-agents-rejected": { calls: 1, neverRan: 1 },
  "openai-agents-sequential": { calls: 3 },
  "openai-agents-throws-no-root": { calls: 1, failed: 1 },
  "openai-agents-timeout": { calls: 1 },
};

describe("the export that was recorded with labels", () => {
  it("passes every check, strictly", () => {
    const report = verify(readOtlp(fixtureText("ai-sdk-6-labelled")).spans, { strict: true });
    expect(report.verdict).toBe("pass");
    expect(checksWith(report, "pass")).toHaveLength(12);
  });

  it("shows what it was recorded with: a repeated call, a failure, a delegation, two policies", () => {
    const [run] = verify(readOtlp(fixtureText("ai-sdk-6-labelled")).spans).runs;
    const labels = run?.tree.map((one) => one.labels);
    expect(run).toMatchObject({ toolCalls: 6, exitReason: "final_answer" });
    expect(labels?.map((one) => one["trustabl.tool.attempt"])).toContain(2);
    expect(labels?.map((one) => one["trustabl.tool.error_class"])).toContain("timeout");
    expect(labels?.map((one) => one["trustabl.handoff_id"])).toContain("hotel-desk-1");
    expect(run?.tree[0]?.policies).toBe(2);
  });
});

describe("recorded exports without labels", () => {
  it("are all listed here", () => {
    expect(names.filter((name) => name !== "ai-sdk-6-labelled").sort()).toEqual(Object.keys(EXPECTED).sort());
  });

  describe.each(Object.entries(EXPECTED))("%s", (name, { calls, unknown, fails, neverRan, failed }) => {
    it("is nothing to check, and says which calls are unlabelled", () => {
      const { spans, problems } = readOtlp(fixtureText(name));
      expect(problems).toEqual([]);
      const report = verify(spans);
      expect(report).toMatchObject({ verdict: "nothing-to-check", examined: { toolSpans: calls } });
      const counts = (id: CheckId) => report.checks.find((check) => check.id === id)?.counts;
      expect(counts("tool-span-labelled")).toEqual({
        pass: 0,
        fail: calls - (neverRan ?? 0),
        unknown: neverRan ?? 0,
      });
      expect(counts("failed-tool-labelled")).toMatchObject({ pass: 0, fail: failed ?? 0 });
    });

    it("passes with correct labels", () => {
      const report = verify(readOtlp(labelExport(fixture(name))).spans);
      expect(report.verdict).toBe(calls === 0 ? "nothing-to-check" : "pass");
      expect(checksWith(report, "fail")).toEqual(fails ?? []);
      expect(checksWith(report, "unknown")).toEqual(unknown ?? []);
    });
  });

  it("names no machine", () => {
    for (const name of names)
      expect(fixtureText(name)).not.toMatch(/\/(home|root|tmp|Users|work)\/|localhost|127\.0\.0\.1/);
  });
});
