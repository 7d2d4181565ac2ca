/**
 * What the agent did, as a matcher: no loop, no storm, no unguarded call.
 *
 * @module
 */
import { evidencePhrase, placeOf } from "../../findings/format/phrases.ts";
import { type FindingsOptions, findings, type RuleFinding, type Severity } from "../../findings/index.ts";
import { SEVERITIES } from "../../findings/rules/rule.ts";
import { listLines } from "./lines.ts";
import { aboutSpans, type MatcherAnswer, type MatcherContext } from "./matcher.ts";

/** Options of `toHaveNoFindings`. */
export interface FindingsMatcherOptions extends Omit<FindingsOptions, "onFinding"> {
  /** The lowest severity that counts. Default `high`. */
  readonly from?: Severity | undefined;
}

/**
 * Passes when no rule of this severity or a higher one fires, and at least one could be judged. Behind `.not` it passes
 * when one fires. Rules that only record do not count.
 *
 * @throws FindingsOptionsError on an option that cannot be used
 * @throws TypeError on a severity that does not exist
 */
export function toHaveNoFindings(
  this: MatcherContext,
  received: unknown,
  { from = "high", ...options }: FindingsMatcherOptions = {},
): MatcherAnswer {
  const isNot = this?.isNot === true;
  const lowest = SEVERITIES.indexOf(from);
  if (lowest < 0) throw new TypeError(`from is one of ${SEVERITIES.join(", ")}`);
  return aboutSpans(received, (spans) => {
    const report = findings(spans, options);
    const isJudged = report.rules.some(({ outcome }) => outcome !== "not-applicable");
    const found = report.findings.filter(
      ({ severity, shadow }) => !shadow && SEVERITIES.indexOf(severity) <= lowest,
    );
    return {
      pass: found.length === 0 && (isNot || isJudged),
      message: () =>
        found.length > 0
          ? `expected no findings\nfound\n${listLines(found, show)}`
          : isNot
            ? "expected findings\nfound none"
            : "expected no findings\nfound nothing that the rules could judge: do the spans carry labels?",
    };
  });
}

const show = (finding: RuleFinding): string =>
  [
    `${finding.severity} ${finding.rule}: ${finding.message}`,
    `${placeOf(finding)}: ${evidencePhrase(finding)}`,
    finding.fix,
  ].join("\n");
