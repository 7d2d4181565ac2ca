/**
 * The rules as SQL for ClickHouse, over the table `otel_traces` of the OpenTelemetry Collector's ClickHouse exporter.
 *
 * @module
 */
import { isRuleId } from "../options.ts";
import type { Field } from "../rows/fields.ts";
import { RULES } from "../rules/index.ts";
import { conditionOf, docsOf, type Rule, type RuleId } from "../rules/rule.ts";
import { hitsSql } from "./condition-sql.ts";
import { attribute, FindingsSqlError, indented, quoted, resource, tableName } from "./literals.ts";
import { rowsSql } from "./rows-sql.ts";

export { FindingsSqlError } from "./literals.ts";

/** Options of {@link findingsSql} and {@link findingsRowsSql}. */
export interface FindingsSqlOptions {
  /** The exporter's table, `name` or `database.name`. Default `otel_traces`. */
  readonly table?: string | undefined;
  /** Spans that start at this time or later. */
  readonly from?: Date | undefined;
  /** Spans that start before this time. */
  readonly to?: Date | undefined;
  /** Judge this run only. */
  readonly runId?: string | undefined;
  /** Read the public rules to the letter. Default false. */
  readonly literal?: boolean | undefined;
  /** A table that was filled with the rows of {@link findingsRowsSql}: all rules then share the work of making them. */
  readonly rows?: string | undefined;
}

/** A query, and the values of its parameters. */
export interface FindingsQuery {
  /** Parameters stand in it as `{name:Type}`. */
  readonly sql: string;
  /** Values as texts, by name. */
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * A query that gives one line for each finding of a rule: `rule`, `severity`, `run_id`, `trace_id`, `span_id`,
 * `span_name`, `evidence`. Needs ClickHouse 24.4 or later (recursive common table expressions), and only reads.
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
  mapFilter((name, value) -> value != '', mapUpdate(hit.5, map('count', toString(count)))) AS evidence
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

function scopeOf({ table = "otel_traces", from, to, runId, literal }: FindingsSqlOptions) {
  return {
    table: tableName(table),
    time: [
      from === undefined ? "" : "Timestamp >= {from:DateTime64(9, 'UTC')}",
      to === undefined ? "" : "Timestamp < {to:DateTime64(9, 'UTC')}",
    ]
      .filter((one) => one !== "")
      .join(" AND "),
    labelledOnly: literal !== true,
    runParameter: runId === undefined ? undefined : "{run_id:String}",
  };
}

function parametersOf({ from, to, runId }: FindingsSqlOptions): Record<string, string> {
  return {
    ...(from === undefined ? {} : { from: timeText(from) }),
    ...(to === undefined ? {} : { to: timeText(to) }),
    ...(runId === undefined ? {} : { run_id: runId }),
  };
}

function timeText(time: Date): string {
  if (Number.isNaN(time.getTime())) throw new FindingsSqlError("bad_time", "from and to have to be times");
  return time.toISOString().replace("T", " ").replace("Z", "");
}

const FOREIGN: Readonly<Partial<Record<Field, readonly string[]>>> = {
  decision: [attribute("trustabl.constraint.decision")],
  constraintKind: [attribute("trustabl.constraint.kind")],
  contractHash: ["trustabl.contract.sha256", "trustabl.contract_hash"].flatMap((name) => [
    attribute(name),
    resource(name),
  ]),
};

// Where nothing of the other producer is there at all, the rule says nothing.
function gateSql(
  { foreign }: Rule,
  { table, time }: { readonly table: string; readonly time: string },
): string {
  if (foreign === undefined) return "";
  const there = foreign
    .flatMap((field) => FOREIGN[field] ?? [])
    .map((one) => `${one} != ''`)
    .join(" OR ");
  return `
-- Not applicable where no other producer writes what the rule reads.
WHERE (SELECT count() FROM (
  SELECT 1 FROM ${table} WHERE ${time === "" ? "" : `${time} AND `}(${there}) LIMIT 1)) > 0`;
}
