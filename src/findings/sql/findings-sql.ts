/**
 * The rules as SQL for ClickHouse, over the table `otel_traces` of the OpenTelemetry Collector's ClickHouse exporter.
 *
 * @module
 */
import { isRuleId } from "../options.ts";
import { RULES } from "../rules/index.ts";
import { conditionOf, docsOf, type Rule, type RuleId } from "../rules/rule.ts";
import { hitsSql } from "./condition-sql.ts";
import { FindingsSqlError, indented, quoted, tableName } from "./literals.ts";
import {
  type FindingsQuery,
  type FindingsSqlOptions,
  parametersOf,
  type QueryScope,
  scopeOf,
  writtenSql,
} from "./query-scope.ts";
import { rowsSql } from "./rows-sql.ts";

export { FindingsSqlError } from "./literals.ts";
export type { FindingsQuery, FindingsSqlOptions } from "./query-scope.ts";

/**
 * A query that gives one line for each finding of a rule: `rule`, `severity`, `run_id`, `trace_id`, `span_id`,
 * `span_name`, `time` (when the span began), `evidence`. Needs ClickHouse 24.4 or later (recursive common table expressions), and only reads.
 *
 * @throws FindingsSqlError on a rule that does not exist, a table that is no plain name, or a time that is none
 * @example
 * ```ts
 * import { findingsSql } from "agent-reliability-otel-labels/findings";
 *
 * const { sql, parameters } = findingsSql("tool_loop", { from: new Date("2026-11-30T00:00:00Z") });
 * console.log(sql, parameters.from);
 * ```
 */
export function findingsSql(rule: RuleId, options: FindingsSqlOptions = {}): FindingsQuery {
  const found = isRuleId(rule) ? RULES.find(({ id }) => id === rule) : undefined;
  if (found === undefined) {
    throw new FindingsSqlError(
      "unknown_rule",
      `there is no such rule; the rules are ${RULES.map(({ id }) => id).join(", ")}`,
    );
  }
  const literal = options.literal === true;
  const scope = scopeOf(options);
  const condition = conditionOf(found, literal);
  const own = options.rows === undefined;
  const hits = hitsSql(condition, found, {
    from: options.rows === undefined ? "rows" : tableName(options.rows),
    where: scope.runParameter === undefined ? "" : `run_id = ${scope.runParameter}`,
  });
  const gate = literal && found.literal !== undefined ? "" : gateSql(found, scope);
  const sql = `-- ${found.id}: ${found.title}.
-- ${found.fires}${literal && found.literal !== undefined ? `\n-- To the letter: ${found.literal.difference}` : ""}
-- ${docsOf(found.id)}
WITH RECURSIVE
${own ? `${rowsSql(scope)},\n\n` : ""}-- What the rule looks for.
hits AS (
${indented(hits, 2)}
)
SELECT
  ${quoted(found.id)} AS rule,
  ${quoted(found.severity)} AS severity,
  hit.1 AS run_id,
  hit.2 AS trace_id,
  hit.3 AS span_id,
  hit.4 AS span_name,
  fromUnixTimestamp64Nano(hit.5, 'UTC') AS time,
  mapFilter((name, value) -> value != '', mapUpdate(hit.6, map('count', toString(count)))) AS evidence
FROM hits${gate}
ORDER BY run_id, trace_id, span_id
`;
  return { sql, parameters: parametersOf(options) };
}

/**
 * A query that gives the rows that every rule is evaluated on: one for each tool call, and one for every other labelled
 * span. Fill a table with it, and name that table in `rows` of {@link findingsSql}.
 *
 * @throws FindingsSqlError as {@link findingsSql}
 * @example
 * ```ts
 * import { findingsRowsSql } from "agent-reliability-otel-labels/findings";
 *
 * const { sql } = findingsRowsSql();
 * console.log(`CREATE TABLE trustabl_rows ENGINE = MergeTree ORDER BY (run_id, trace_id) AS ${sql}`);
 * ```
 */
export function findingsRowsSql(options: Omit<FindingsSqlOptions, "rows"> = {}): FindingsQuery {
  const sql = `WITH RECURSIVE\n${rowsSql(scopeOf(options))}\nSELECT * FROM rows\n`;
  return { sql, parameters: parametersOf(options) };
}

// Where nothing of the other producer is there at all, the rule says nothing.
function gateSql({ foreign }: Rule, { table, time }: QueryScope): string {
  if (foreign === undefined) return "";
  return `
-- Not applicable where no other producer writes what the rule reads.
WHERE ${writtenSql(foreign, { table, time })}`;
}
