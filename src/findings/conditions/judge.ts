/**
 * Any condition, on the rows of one run.
 *
 * @module
 */
import type { SpanRow } from "../rows/span-row.ts";
import type { Condition } from "../rules/rule.ts";
import { judgeDrift } from "./drift.ts";
import { judgeEach } from "./each.ts";
import type { Judged } from "./judged.ts";
import { judgeLacking } from "./lacking.ts";
import { judgeRepeat } from "./repeat.ts";
import { judgeSequence } from "./sequence.ts";
import { judgeUnbound } from "./unbound.ts";

/**
 * What the condition says.
 *
 * @param rows of one run, or of one trace without a run, in the order of steps and time
 */
export function judgeCondition(condition: Condition, rows: readonly SpanRow[]): Judged {
  switch (condition.kind) {
    case "each":
      return judgeEach(condition, rows);
    case "repeat":
      return judgeRepeat(condition, rows);
    case "drift":
      return judgeDrift(condition, rows);
    case "unbound":
      return judgeUnbound(condition, rows);
    case "sequence":
      return judgeSequence(condition, rows);
    case "lacking":
      return judgeLacking(condition, rows);
  }
}
