import { describe, expect, it } from "vitest";
import { FINDINGS_FORMATS, findings, formatFindings } from "../../src/findings/index.ts";
import { call, root } from "../verify/support/build.ts";
import { HOSTILE } from "../verify/support/hostile.ts";

const spans = [
  root("root", { name: HOSTILE, attributes: { "trustabl.run_id": "run" } }),
  ...[0, 1, 2].map((step) =>
    call(`c${step}`, {
      step,
      tool: HOSTILE,
      name: HOSTILE,
      args: {},
      attributes: { "trustabl.run_id": "run" },
    }),
  ),
].map((one) => ({ ...one, position: { source: `${HOSTILE}.jsonl`, line: 3 } }));

describe("the renderings of findings", () => {
  it.each(FINDINGS_FORMATS)(
    "in %s name every rule that fired, and let nothing of a span's name break out",
    (format) => {
      const text = formatFindings(findings(spans), { format });
      for (const rule of ["tool_loop", "policy_absent", "dspm_unbound"]) expect(text).toContain(rule);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
      expect(text).not.toMatch(/^::error::owned/m);
      if (format === "junit") expect(text).not.toContain("<script>");
    },
  );

  it("in JSON are the report, after a version", () => {
    const report = findings(spans);
    expect(JSON.parse(formatFindings(report, { format: "json" }))).toEqual(
      JSON.parse(JSON.stringify({ version: 1, ...report })),
    );
  });

  it("in JUnit are a test case for each rule, of which severe findings fail", () => {
    const text = formatFindings(findings(spans), { format: "junit" });
    expect(text).toContain('tests="12" failures="3" errors="0"');
  });

  it("for people say what was not applicable and why, and what to do about the rest", () => {
    const text = formatFindings(findings(spans));
    expect(text).toContain("Not applicable: needs trustabl.constraint.decision.");
    expect(text).toContain("fix: Cap equal calls");
    expect(text).not.toContain("\u001b");
    expect(formatFindings(findings(spans), { color: true })).toContain("\u001b[31m");
    expect(formatFindings(findings(spans, { literal: true }))).toContain("to the letter");
  });
});
