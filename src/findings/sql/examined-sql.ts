/**
 * How much each rule looked at, as SQL: a rule that found nothing says so only where there was something to find.
 *
 * @module
 */
import { fieldRow } from "../rows/fields.ts";
import { RULES } from "../rules/index.ts";
import {
  type Condition,
  conditionOf,
  isAboutRuns,
  type Rule,
  type RuleId,
  type Test,
} from "../rules/rule.ts";
import { policiesSql, SUBJECT_SQL, testSql } from "./condition-sql.ts";
import { quoted, tableName } from "./literals.ts";
import {
  type FindingsQuery,
  type FindingsSqlOptions,
  parametersOf,
  scopeOf,
  writtenSql,
} from "./query-scope.ts";
import { rowsSql } from "./rows-sql.ts";

/**
 * A query with one line: `runs`, `calls`, `examined` (how many things each rule looked at, by its id), and `waiting` (the
 * rules that read what no other program wrote).
 *
 * @throws FindingsSqlError as `findingsSql`
 */
export function examinedSql(rules: readonly RuleId[], options: FindingsSqlOptions = {}): FindingsQuery {
  const literal = options.literal === true;
  const scope = scopeOf(options);
  const own = options.rows === undefined;
  const from = options.rows === undefined ? "rows" : tableName(options.rows);
  const ofRun = scope.runParameter === undefined ? "1" : `run_id = ${scope.runParameter}`;
  const asked = RULES.filter(({ id }) => rules.includes(id));
  const counts = asked.map(
    (rule) => `${quoted(rule.id)}, ${countSql(conditionOf(rule, literal), ofRun, `FROM ${from}`)}`,
  );
  const waiting = asked
    .filter((rule) => isGated(rule, literal))
    .map((rule) => `if(${writtenSql(rule.foreign ?? [], scope)}, '', ${quoted(rule.id)})`);
  const sql = `${own ? `WITH RECURSIVE\n${rowsSql(scope)}\n` : ""}SELECT
  uniqExactIf(run_id, run_id != '' AND ${ofRun}) AS runs,
  countIf(kind = 'call' AND ${ofRun}) AS calls,
  map(${counts.map((one) => `\n    ${one}`).join(",")}) AS examined,
  ${waiting.length === 0 ? "CAST([], 'Array(String)')" : `arrayFilter(x -> x != '', [${waiting.join(", ")}])`} AS waiting
FROM ${from}
`;
  return { sql, parameters: parametersOf(options) };
}

const isGated = ({ foreign, literal: letter }: Rule, literal: boolean): boolean =>
  foreign !== undefined && !(literal && letter !== undefined);

function countSql(condition: Condition, ofRun: string, from: string): string {
  const about = [ofRun, ...(isAboutRuns(condition) ? ["run_id != ''"] : [])];
  const countIf = (...more: readonly string[]): string =>
    `countIf(${[...about, ...more].filter((one) => one !== "").join(" AND ")})`;
  switch (condition.kind) {
    case "each":
      return countIf(SUBJECT_SQL[condition.subject], ...canBeJudged(condition.where));
    case "repeat":
      return countIf(SUBJECT_SQL.calls, "step_index IS NOT NULL", ...canBeJudged(condition.where));
    case "drift":
      return condition.subject === "policies"
        ? `(SELECT count() FROM ${policiesSql(from, about)} WHERE ${condition.where.map(testSql).join(" AND ")})`
        : countIf(SUBJECT_SQL[condition.subject], ...condition.where.map(testSql));
    case "unbound":
      return condition.subject === "delegations"
        ? `uniqExactIf((scope_id, run_id, trace_id, handoff_id), ${ofRun} AND ${SUBJECT_SQL.delegations})`
        : countIf(SUBJECT_SQL[condition.subject]);
    case "sequence":
      return countIf(SUBJECT_SQL.calls, "step_index IS NOT NULL");
    case "lacking":
      return countIf(SUBJECT_SQL.calls, "NOT not_run");
  }
}

// As the streaming evaluator: labels that have to be missing, or that must not have a value, may be missing.
function canBeJudged(tests: readonly Test[]): string[] {
  return tests
    .filter((test) => ("there" in test ? test.there : !("not" in test)))
    .map(({ field }) =>
      fieldRow(field).type === "flag"
        ? `${fieldRow(field).column} IS NOT NULL`
        : testSql({ field, there: true }),
    );
}
