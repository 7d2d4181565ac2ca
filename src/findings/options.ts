/**
 * What can be asked of the evaluator.
 *
 * @module
 */
import { TrustablError } from "../errors.ts";
import type { RuleFinding } from "./finding.ts";
import { RULE_IDS, type RuleId } from "./rules/rule.ts";

/** Options of {@link findings} and {@link createFindings}. */
export interface FindingsOptions {
  /** Evaluate these rules only. */
  readonly only?: Iterable<RuleId> | undefined;
  /** Leave these rules out. */
  readonly ignore?: Iterable<RuleId> | undefined;
  /** Read the public rules to the letter, where that differs from what they mean. Default false. */
  readonly literal?: boolean | undefined;
  /** Judge this run only. */
  readonly run?: string | undefined;
  /**
   * Called once for each finding as soon as the spans show it, while they still arrive. It is early: a span that comes
   * later can show that two spans were one call. The report decides.
   */
  readonly onFinding?: ((finding: RuleFinding) => void) | undefined;
  /** Texts that must appear nowhere in the findings, as in `VerifyOptions`. */
  readonly secrets?: Iterable<string> | undefined;
  /** Runs in which something was found that the report shows as trees, for a page; see `runs`. Default 0. */
  readonly maxRuns?: number | undefined;
  /** Findings kept of each rule; counts stay exact. Default 1,000. */
  readonly maxFindings?: number | undefined;
  /** Spans remembered at the same time, as in `VerifyOptions`. Default 50,000. */
  readonly maxOpenSpans?: number | undefined;
}

/** An option that cannot be used. */
export class FindingsOptionsError extends TrustablError<"unknown_rule" | "empty_secret" | "invalid_number"> {}

// A literal, since minifiers change class names; on the prototype, since an own `name` is printed twice.
Object.defineProperty(FindingsOptionsError.prototype, "name", {
  value: "FindingsOptionsError",
  configurable: true,
  writable: true,
});

/** The options with every default filled in. */
export interface FindingsSettings {
  readonly rules: ReadonlySet<RuleId>;
  readonly literal: boolean;
  readonly run: string | undefined;
  readonly onFinding: ((finding: RuleFinding) => void) | undefined;
  readonly secrets: readonly string[];
  readonly maxRuns: number;
  readonly maxFindings: number;
  readonly maxOpenSpans: number;
}

/**
 * Fills in the defaults.
 *
 * @throws FindingsOptionsError on a rule that does not exist, an empty secret, or a limit that is not a count
 */
export function settingsOf(options: FindingsOptions = {}): FindingsSettings {
  const only = ruleIds(options.only);
  const ignore = ruleIds(options.ignore);
  return {
    rules: new Set(
      RULE_IDS.filter((id) => (only === undefined || only.has(id)) && !(ignore?.has(id) ?? false)),
    ),
    literal: options.literal === true,
    run: options.run,
    onFinding: options.onFinding,
    secrets: secretTexts(options.secrets),
    maxRuns: count("maxRuns", options.maxRuns, 0),
    maxFindings: count("maxFindings", options.maxFindings, 1_000),
    maxOpenSpans: count("maxOpenSpans", options.maxOpenSpans, 50_000),
  };
}

function secretTexts(given: Iterable<string> = []): string[] {
  const secrets = [...given];
  if (secrets.some((secret) => typeof secret !== "string" || secret.trim() === "")) {
    throw new FindingsOptionsError("empty_secret", "a secret has to be a text that is not empty");
  }
  return secrets;
}

function ruleIds(given: Iterable<string> | undefined): Set<string> | undefined {
  if (given === undefined) return undefined;
  const ids = new Set(given);
  for (const id of ids) if (!isRuleId(id)) throw unknownRule();
  return ids;
}

/** True for the id of a rule. */
export const isRuleId = (id: string): id is RuleId => (RULE_IDS as readonly string[]).includes(id);

/** The error that names the rules that there are. */
export const unknownRule = (): FindingsOptionsError =>
  new FindingsOptionsError("unknown_rule", `there is no such rule; the rules are ${RULE_IDS.join(", ")}`);

function count(name: string, given: number | undefined, otherwise: number): number {
  if (given === undefined) return otherwise;
  if (!Number.isSafeInteger(given) || given < 0) {
    throw new FindingsOptionsError("invalid_number", `${name} has to be an integer of 0 or more`);
  }
  return given;
}
