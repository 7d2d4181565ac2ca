/**
 * The conformance suite: 8 families of 17 variants, 136 calls, decided in four configurations of the same function.
 *
 * The construction was worked out from the published figures of arXiv 2607.25364, whose code and tasks are not public:
 * that the rates come out alike shows that the counts are the same, not that the tasks are.
 *
 * @module
 */
import type { Profile } from "../checks.ts";
import { type Configuration, type Decision, decide, decideAs } from "../decide.ts";
import type { Outcome } from "../outcome.ts";
import { agreeing, FAMILIES, type Situation, VOCABULARY, withPayloadEvidence } from "./families.ts";
import { VARIANTS, type VariantKind } from "./variants.ts";

/** One case: a call, and what has to become of it. */
export interface ConformanceCase extends Situation {
  readonly id: string;
  readonly variant: string;
  readonly kind: VariantKind;
}

/** All configurations, from the one that trusts most. */
export const CONFIGURATIONS = [
  "free_form",
  "schema",
  "payload",
  "full",
] as const satisfies readonly Configuration[];

/** The 136 cases, fresh. */
export function conformanceCases(): ConformanceCase[] {
  return FAMILIES.flatMap((family) =>
    Object.entries(VARIANTS).map(([variant, { kind, change }]) => {
      const situation = agreeing(family);
      change(situation);
      withPayloadEvidence(situation);
      return { ...situation, id: `${situation.family}/${variant}`, variant, kind };
    }),
  );
}

/** What has to become of a case in a profile. */
export function expectedOutcome({ kind, variant, risk }: ConformanceCase, profile: Profile): Outcome {
  if (kind === "hard") return "deny";
  if (kind === "aligned") return risk === "high" ? "review" : "allow";
  const isMalformed = variant === "incomplete" || variant === "unknown_version";
  return isMalformed && profile === "trustabl" ? "deny" : "review";
}

/** Decides on a case. */
export function decideCase(
  { claim, contract, facts, arguments: args }: ConformanceCase,
  profile: Profile,
  configuration: Configuration,
): Decision {
  const call = { tool: contract.name, arguments: args };
  const input = { claim, call, contract, facts, vocabulary: VOCABULARY };
  // The way that applications go, where it is the same.
  return profile === "trustabl" && configuration === "full"
    ? decide(input)
    : decideAs(input, profile, configuration);
}
