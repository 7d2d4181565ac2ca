/**
 * The verdict as a matcher.
 *
 * @module
 */
import { type AssertVerifiedOptions, type Judgement, judge, judgeReport } from "../verdict/judge.ts";
import {
  isRecording,
  isReport,
  type MatcherAnswer,
  type MatcherContext,
  type MatcherResult,
  spansIn,
} from "./matcher.ts";

/**
 * Passes when every check passes and no agent or tool span was left open. Behind `.not` it passes when something is
 * wrong; nothing to check is neither.
 *
 * Takes a recording, spans, or a report (which has been given its options already).
 */
export function toPassVerification(
  this: MatcherContext,
  received: unknown,
  options?: AssertVerifiedOptions,
): MatcherAnswer {
  const isNot = this?.isNot === true;
  if (isReport(received)) return resultOf(judgeReport(received), isNot);
  if (!isRecording(received)) return resultOf(judge(spansIn(received), options), isNot);
  return received
    .spans()
    .then((finished) => resultOf(judge([...finished, ...received.unended()], options), isNot));
}

function resultOf({ holds, fails, text }: Judgement, isNot: boolean): MatcherResult {
  const expected = isNot ? "expected verification to find something wrong" : "expected verification to pass";
  return { pass: isNot ? !fails : holds, message: () => `${expected}\n\n${text}` };
}
