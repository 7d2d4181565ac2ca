/**
 * What the labels are for: rules about loops, storms, unguarded calls and missing policies, over exported spans, in a
 * test, live, or as SQL on ClickHouse. Runs anywhere.
 *
 * @module
 */
export { createFindings, type FindingsSink, findings } from "./engine/stream-findings.ts";
export {
  type FindingsReport,
  isSevereFinding,
  type RuleFinding,
  type RuleOutcome,
  type RuleResult,
} from "./finding.ts";
export {
  FINDINGS_FORMATS,
  type FindingsFormat,
  type FindingsFormatOptions,
  formatFindings,
} from "./format/format-findings.ts";
export { type FindingsOptions, FindingsOptionsError } from "./options.ts";
export type { Field } from "./rows/fields.ts";
export { RULES as rules } from "./rules/index.ts";
export {
  type Condition,
  type LiteralReading,
  RULE_IDS,
  type Rule,
  type RuleId,
  type Severity,
  type Subject,
  type Test,
} from "./rules/rule.ts";
export { checkSql, SQL_CHECK_IDS, type SqlCheckId } from "./sql/checks/check-sql.ts";
export {
  type FindingsQuery,
  FindingsSqlError,
  type FindingsSqlOptions,
  findingsRowsSql,
  findingsSql,
} from "./sql/findings-sql.ts";
