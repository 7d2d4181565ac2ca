/**
 * The figures of the conformance suite, in the abbreviations of the paper.
 *
 * @module
 */
import type { Profile } from "../checks.ts";
import type { Configuration, Decision } from "../decide.ts";
import { digestIfAny } from "../digest.ts";
import {
  CONFIGURATIONS,
  type ConformanceCase,
  conformanceCases,
  decideCase,
  expectedOutcome,
} from "./suite.ts";

/** The rates of one configuration, each between 0 and 1. */
export interface ConformanceRates {
  readonly configuration: Configuration;
  /** Cases with the outcome that was expected. */
  readonly PDA: number;
  /** Cases that do not agree and were not allowed. */
  readonly SNAC: number;
  /** Hard cases that were allowed. */
  readonly HFAR: number;
  /** Soft cases that were allowed. */
  readonly SFAR: number;
  /** Agreeing cases with the outcome that was expected. */
  readonly AFA: number;
  /** Cases whose references to facts were all compared and current. */
  readonly FRR: number;
  /** Cases with planted content that were not denied. */
  readonly EFLA: number;
}

interface Decided {
  readonly of: ConformanceCase;
  readonly decision: Decision;
}

/** Decides all cases in all configurations. */
export function conformanceRates(profile: Profile): ConformanceRates[] {
  const cases = conformanceCases();
  return CONFIGURATIONS.map((configuration) => {
    const all = cases.map((of): Decided => ({ of, decision: decideCase(of, profile, configuration) }));
    const rate = (among: (of: ConformanceCase) => boolean, holds: (decided: Decided) => boolean) => {
      const relevant = all.filter(({ of }) => among(of));
      return relevant.filter(holds).length / relevant.length;
    };
    const isAllowed = ({ decision }: Decided) => decision.outcome === "allow";
    const isExpected = ({ of, decision }: Decided) => decision.outcome === expectedOutcome(of, profile);
    return {
      configuration,
      PDA: rate(() => true, isExpected),
      SNAC: rate(
        ({ kind }) => kind !== "aligned",
        (decided) => !isAllowed(decided),
      ),
      HFAR: rate(({ kind }) => kind === "hard", isAllowed),
      SFAR: rate(({ kind }) => kind === "soft", isAllowed),
      AFA: rate(({ kind }) => kind === "aligned", isExpected),
      FRR: rate(() => true, referencesAreCurrent),
      EFLA: rate(
        ({ variant }) => variant === "raw_content",
        ({ decision }) => decision.outcome !== "deny",
      ),
    };
  });
}

function referencesAreCurrent({ of, decision }: Decided): boolean {
  const compared = decision.checks.some(({ id, outcome }) => id === "evidence" && outcome === "allow");
  if (!compared || decision.record.digests.claim === undefined) return false;
  const current = {
    intent: of.facts.intent.digest,
    policy: of.facts.policy.digest,
    payload: digestIfAny(of.arguments),
  };
  return Object.entries(current).every(([type, digest]) =>
    of.claim.evidence_refs.some((reference) => reference.type === type && reference.digest === digest),
  );
}
