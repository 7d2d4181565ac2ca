/**
 * Running the checks that look at one span by itself.
 *
 * @module
 */
import type { ArrivedSpan, Check } from "../checks/check.ts";
import type { SpanVerdict } from "./span-record.ts";

/** The reason of a verdict that a check could not give, since it threw. */
export const CHECK_FAILED = "check-failed";

/** What each check says about the span. A check that throws says `unknown`. */
export function judgeSpan(span: ArrivedSpan, checks: readonly Check[]): SpanVerdict[] {
  const verdicts: SpanVerdict[] = [];
  for (const check of checks) {
    try {
      check.judgeSpan?.(span, {
        pass: () => verdicts.push({ check: check.id, outcome: "pass", reason: "" }),
        fail: (reason, detail) => verdicts.push({ check: check.id, outcome: "fail", reason, ...detail }),
        unknown: (reason, detail) =>
          verdicts.push({ check: check.id, outcome: "unknown", reason, ...detail }),
      });
    } catch {
      verdicts.push({ check: check.id, outcome: "unknown", reason: CHECK_FAILED });
    }
  }
  return verdicts;
}
