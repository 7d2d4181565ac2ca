/**
 * All checks, in the order of the report.
 *
 * @module
 */
import { attemptCount } from "./attempt-count.ts";
import type { Check, CheckDescription } from "./check.ts";
import { failedToolLabelled } from "./failed-tool-labelled.ts";
import { fingerprintTrue } from "./fingerprint-true.ts";
import { handoffMarked } from "./handoff-marked.ts";
import { labelOnToolSpanOnly } from "./label-on-tool-span-only.ts";
import { labelValuesValid } from "./label-values-valid.ts";
import { noContent } from "./no-content.ts";
import { policyBindingValid } from "./policy-binding-valid.ts";
import { runEndMarked } from "./run-end-marked.ts";
import { runIdentity } from "./run-identity.ts";
import { stepOrder } from "./step-order.ts";
import { toolSpanLabelled } from "./tool-span-labelled.ts";

/** All checks, in the order of the report. */
export const CHECKS: readonly Check[] = [
  toolSpanLabelled,
  labelOnToolSpanOnly,
  failedToolLabelled,
  labelValuesValid,
  runEndMarked,
  runIdentity,
  stepOrder,
  attemptCount,
  noContent,
  fingerprintTrue,
  policyBindingValid,
  handoffMarked,
];

/** What every check is about, as data, in the order of the report. */
export const checks: readonly CheckDescription[] = CHECKS;
