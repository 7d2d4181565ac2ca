/**
 * A rule as data: the streaming evaluator, the SQL and the documentation are made from it.
 *
 * @module
 */
import type { PolicyType } from "../../attributes/registry.ts";
import type { Field } from "../rows/fields.ts";

/** The rules, in the order of every report. */
export const RULE_IDS = [
  "irreversible_unguarded",
  "tool_loop",
  "retry_storm",
  "false_idempotent",
  "handoff_unbound",
  "policy_absent",
  "dspm_unbound",
  "policy_drift",
  "contract_drift",
  "denied_then_answered",
  "constraint_hit",
  "instrumentation_degraded",
] as const;

/** Stable id of a rule. */
export type RuleId = (typeof RULE_IDS)[number];

/** How bad it is when a rule fires, worst first. */
export const SEVERITIES = ["critical", "high", "medium", "low"] as const;

/** How bad it is when a rule fires: `critical`, `high`, `medium` or `low`. */
export type Severity = (typeof SEVERITIES)[number];

/**
 * What a rule looks at:
 * - `calls`: tool calls; nested spans of one call are one
 * - `roots`: the outermost span of a run that carries its id and is no tool
 * - `agents`: every agent's span
 * - `delegations`: spans that carry a handoff id and are no tools
 * - `policies`: every policy that a span of a run says it is bound by
 * - `spans`: all of these spans
 */
export type Subject = "calls" | "roots" | "agents" | "delegations" | "policies" | "spans";

/** One test of one field. A rule's tests must all hold. */
export type Test =
  | {
      /** The label, or other people's attribute, that is tested. */
      readonly field: Field;
      /** Its value is one of these; a missing one is none of them. */
      readonly is: readonly (string | boolean)[];
    }
  | {
      readonly field: Field;
      /** Its value is none of these; a missing one passes. */
      readonly not: readonly (string | boolean)[];
    }
  | {
      readonly field: Field;
      /** Its value is a number, and not below this one. */
      readonly atLeast: number;
    }
  | {
      readonly field: Field;
      /** `true`: there is a value, and it is not `false`. `false`: there is none. */
      readonly there: boolean;
    };

/** When a rule fires. */
export type Condition =
  /** Some subject passes the tests. Those that agree in `groupBy` are one finding; without it, each is one. */
  | {
      readonly kind: "each";
      /** What is looked at. */
      readonly subject: Subject;
      /** Tests that must all hold for a subject to count; empty: every one counts. */
      readonly where: readonly Test[];
      /** Fields whose values have to agree within a run; a missing value agrees with a missing one. */
      readonly groupBy?: readonly Field[];
    }
  /** Within a run, `count` calls that agree in `groupBy` stand among `window` that follow one another. */
  | {
      readonly kind: "repeat";
      readonly where: readonly Test[];
      readonly groupBy: readonly Field[];
      /** How many steps of the run, one after the other, the calls stand among. */
      readonly window: number;
      /** How many such calls there have to be. */
      readonly count: number;
    }
  /** Within a run, subjects that agree in `groupBy` differ in one of `values`. */
  | {
      readonly kind: "drift";
      readonly subject: Subject;
      readonly where: readonly Test[];
      readonly groupBy: readonly Field[];
      /** Fields of which one has two values or more; a missing value is none. */
      readonly values: readonly Field[];
    }
  /** A subject lacks a binding of one of the types; `any`: it has no binding at all. */
  | {
      readonly kind: "unbound";
      readonly subject: "roots" | "agents" | "delegations";
      /** Each of these has to be bound; `"any"`: some policy has to be. */
      readonly types: readonly PolicyType[] | "any";
    }
  /** Within a run that answered, a call passes one of `denied`, and no later call passes one of `allowed`. */
  | {
      readonly kind: "sequence";
      /** A call was denied where all tests of one of these lists hold. */
      readonly denied: readonly (readonly Test[])[];
      /** A call was allowed where all tests of one of these lists hold. */
      readonly allowed: readonly (readonly Test[])[];
      /** Only a call that agrees in this field counts as allowed. */
      readonly same?: Field;
      /** The run answered where one of these spans passes the tests. */
      readonly end: { readonly subject: "roots" | "agents"; readonly where: readonly Test[] };
    }
  /** Within a run, a call that ran lacks one of the labels. */
  | {
      readonly kind: "lacking";
      /** Labels that every call that ran has to carry. */
      readonly labels: readonly Field[];
    };

/** Where the public rule says something else than it means. */
export interface LiteralReading {
  /** What is evaluated instead of the rule's own condition, where the option `literal` asks for it. */
  readonly condition: Condition;
  /** What is different when the rule is read to the letter. */
  readonly difference: string;
}

/** One rule. */
export interface Rule {
  /** Stable across releases; reports, options and the SQL name the rule by it. */
  readonly id: RuleId;
  /** What is going on when it fires; a headline. */
  readonly title: string;
  /** How bad it is when it fires. */
  readonly severity: Severity;
  /** Only records. */
  readonly shadow?: true;
  /** Why it matters, in one or two sentences. */
  readonly why: string;
  /** When it fires, for people. */
  readonly fires: string;
  /** One sentence that goes with every finding. */
  readonly message: string;
  /** Labels that it reads. */
  readonly needs: readonly string[];
  /** Fields that other programs write. Where none of them is in the input, the rule does not apply. */
  readonly foreign?: readonly Field[];
  /** When it fires, as data: the streaming evaluator and the SQL are made from it. */
  readonly condition: Condition;
  /** Another condition for the option `literal`. Missing: the public rule says what it means. */
  readonly literal?: LiteralReading;
  /** Fields whose values go with a finding. */
  readonly evidence: readonly Field[];
  /** Stable name of the kind of fix, such as `policy.cap_tool`; several rules may share one. */
  readonly fixClass: string;
  /** What to do, in one sentence. */
  readonly fix: string;
  /** A story in which it fires, in one or two sentences. */
  readonly example: string;
}

/** The condition under the reading that was asked for. */
export function conditionOf(rule: Rule, literal: boolean): Condition {
  return literal ? (rule.literal?.condition ?? rule.condition) : rule.condition;
}

/** True when the condition is about a run, so that spans without a run id cannot be judged by it. */
export function isAboutRuns({ kind }: Condition): boolean {
  return kind === "repeat" || kind === "drift" || kind === "sequence" || kind === "lacking";
}

/** Where a rule is explained, relative to the package. */
export function docsOf(id: RuleId): string {
  return `docs/findings.md#${id}`;
}
