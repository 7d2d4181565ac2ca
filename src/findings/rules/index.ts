/**
 * All rules, in the order of every report.
 *
 * @module
 */
import { constraintHit } from "./constraint-hit.ts";
import { contractDrift } from "./contract-drift.ts";
import { deniedThenAnswered } from "./denied-then-answered.ts";
import { dspmUnbound } from "./dspm-unbound.ts";
import { falseIdempotent } from "./false-idempotent.ts";
import { handoffUnbound } from "./handoff-unbound.ts";
import { instrumentationDegraded } from "./instrumentation-degraded.ts";
import { irreversibleUnguarded } from "./irreversible-unguarded.ts";
import { policyAbsent } from "./policy-absent.ts";
import { policyDrift } from "./policy-drift.ts";
import { retryStorm } from "./retry-storm.ts";
import type { Rule } from "./rule.ts";
import { toolLoop } from "./tool-loop.ts";

/** All rules, in the order of every report. */
export const RULES: readonly Rule[] = [
  irreversibleUnguarded,
  toolLoop,
  retryStorm,
  falseIdempotent,
  handoffUnbound,
  policyAbsent,
  dspmUnbound,
  policyDrift,
  contractDrift,
  deniedThenAnswered,
  constraintHit,
  instrumentationDegraded,
];
