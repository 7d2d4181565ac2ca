/**
 * How a run ended, as a matcher.
 *
 * @module
 */
import type { ExitReason } from "../../attributes/registry.ts";
import { runRootsOf } from "../recording/span-queries.ts";
import { spanTitle } from "../verdict/judge.ts";
import { differingLines } from "./expected-labels.ts";
import { listLines } from "./lines.ts";
import { aboutSpans, type MatcherAnswer, type MatcherContext } from "./matcher.ts";

/**
 * Passes when every run of the recording ended so, and there is one. Behind `.not` it passes when none did.
 */
export function toHaveRunEnd(this: MatcherContext, received: unknown, reason: ExitReason): MatcherAnswer {
  const isNot = this?.isNot === true;
  return aboutSpans(received, (spans) => {
    const roots = runRootsOf(spans);
    const expected = { "trustabl.exit_reason": reason };
    const ended = roots.filter((root) => root.attributes["trustabl.exit_reason"] === reason);
    const others = roots.filter((root) => !ended.includes(root));
    if (isNot) {
      return {
        pass: ended.length > 0,
        message: () => `expected no run to end with "${reason}"\nfound\n${listLines(ended, spanTitle)}`,
      };
    }
    return {
      pass: roots.length > 0 && others.length === 0,
      message: () =>
        roots.length === 0
          ? `expected a run that ended with "${reason}"\nfound no finished span with a run id: is the agent's run inside withRun()?`
          : `expected each run to end with "${reason}"\nfound\n${listLines(others, (root) =>
              [spanTitle(root), ...differingLines(root, expected)].join("\n"),
            )}`,
    };
  });
}
