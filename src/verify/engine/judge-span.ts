/**
 * Running the checks that look at one span by itself.
 *
 * @module
 */
import type { ArrivedSpan, Check, Detail, TellOfSpan } from "../checks/check.ts";
import { CHECK_IDS, type CheckId } from "../checks/check-id.ts";
import type { SpanVerdict } from "./span-record.ts";

/** The reason of a verdict that a check could not give, since it threw. */
export const CHECK_FAILED = "check-failed";

/** Runs the checks that look at one span by itself. */
export class SpanJudge {
  readonly #checks: readonly Check[];
  // Made once: this runs for every labelled span.
  readonly #tell: TellOfSpan;
  #check: CheckId | undefined;
  #verdicts: SpanVerdict[] = [];

  constructor(checks: readonly Check[]) {
    this.#checks = checks.filter((check) => check.judgeSpan !== undefined);
    this.#tell = {
      pass: () => this.#add("pass", ""),
      fail: (reason, detail) => this.#add("fail", reason, detail),
      unknown: (reason, detail) => this.#add("unknown", reason, detail),
    };
  }

  /** What each check says about the span. A check that throws says `unknown`. */
  judge(span: ArrivedSpan): readonly SpanVerdict[] {
    this.#verdicts = [];
    for (const check of this.#checks) {
      this.#check = check.id;
      try {
        check.judgeSpan?.(span, this.#tell);
      } catch {
        this.#add("unknown", CHECK_FAILED);
      }
    }
    const [first] = this.#verdicts;
    if (first === undefined) return NONE;
    if (this.#verdicts.length === 1 && first.outcome === "pass") return passOf(first.check).alone;
    // A copy: an array that was pushed to keeps room for more, and there is one for each labelled span.
    return this.#verdicts.slice();
  }

  #add(outcome: SpanVerdict["outcome"], reason: string, detail?: Omit<Detail, "related">): void {
    const check = this.#check as CheckId;
    const verdict = outcome === "pass" ? passOf(check).verdict : { check, outcome, reason, ...detail };
    this.#verdicts.push(verdict);
  }
}

const NONE: readonly SpanVerdict[] = Object.freeze([]);
// Nearly every verdict is one of these, and nearly every list of verdicts holds one.
const PASSES = new Map(
  CHECK_IDS.map((check) => {
    const verdict: SpanVerdict = { check, outcome: "pass", reason: "" };
    return [check, { verdict, alone: Object.freeze([verdict]) }];
  }),
);

const passOf = (check: CheckId): { verdict: SpanVerdict; alone: readonly SpanVerdict[] } =>
  PASSES.get(check) as { verdict: SpanVerdict; alone: readonly SpanVerdict[] };
