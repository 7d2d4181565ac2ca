/**
 * All rules, and the words of all rules.
 *
 * @module
 */
import { SEVERITIES } from "../finding.ts";
import { contract001 } from "./contract-001.ts";
import { contract002 } from "./contract-002.ts";
import { contract003 } from "./contract-003.ts";
import { contract004 } from "./contract-004.ts";
import { contract005 } from "./contract-005.ts";
import { contract006 } from "./contract-006.ts";
import { contract007 } from "./contract-007.ts";
import { contract008 } from "./contract-008.ts";
import { contract009 } from "./contract-009.ts";
import { contract010 } from "./contract-010.ts";
import { contract011 } from "./contract-011.ts";
import { contract012 } from "./contract-012.ts";
import { contract013 } from "./contract-013.ts";
import { contract014 } from "./contract-014.ts";
import { csdk001 } from "./csdk-001.ts";
import { csdk101 } from "./csdk-101.ts";
import { oai001 } from "./oai-001.ts";
import type { Rule, RuleDescription } from "./rule.ts";

/** The order of rules, and of findings: by severity, then by confidence, the highest first; then by id. */
export const byWeight = (
  a: Pick<RuleDescription, "severity" | "confidence" | "id">,
  b: Pick<RuleDescription, "severity" | "confidence" | "id">,
): number =>
  SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
  b.confidence - a.confidence ||
  (a.id < b.id ? -1 : Number(a.id > b.id));

/** All rules, the heaviest first. */
export const RULES: readonly Rule[] = [
  csdk001,
  csdk101,
  oai001,
  contract001,
  contract002,
  contract003,
  contract004,
  contract005,
  contract006,
  contract007,
  contract008,
  contract009,
  contract010,
  contract011,
  contract012,
  contract013,
  contract014,
].toSorted(byWeight);

/** All rules in words, as data, the heaviest first. */
export const rules: readonly RuleDescription[] = RULES;
