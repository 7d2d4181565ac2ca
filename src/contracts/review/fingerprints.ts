/**
 * Which finding is which, from one review to the next.
 *
 * @module
 */
import { canonicalFp } from "../../fingerprint/index.ts";
import type { ExaminedSubject, Review } from "./finding.ts";
import { RULES } from "./rules/index.ts";
import { keyOf } from "./trail/trail.ts";

/**
 * The fingerprint of a rule on a subject. Of the place, not of what is written there: the same fault in other words is the
 * same fault come back.
 */
export const fingerprintOf = (
  rule: string,
  { scope, framework, subject }: ExaminedSubject,
  source: string | undefined,
): string => canonicalFp([rule, scope, framework, subject, source ?? ""]);

/** Keys of every finding that the review would have given, had its subjects broken every rule. */
export function fingerprintsOf({ examined, source }: Pick<Review, "examined" | "source">): Set<string> {
  const keys = new Set<string>();
  for (const subject of examined) {
    for (const { id, about } of RULES) {
      if (about === subject.scope)
        keys.add(keyOf({ rule: id, fingerprint: fingerprintOf(id, subject, source) }));
    }
  }
  return keys;
}
