/**
 * What limits a query: table, times, run.
 *
 * @module
 */
import type { Field } from "../rows/fields.ts";
import { attribute, FindingsSqlError, resource, tableName } from "./literals.ts";
import type { RowsScope } from "./rows-sql.ts";

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

/** The limits as SQL. */
export type QueryScope = RowsScope;

/**
 * The limits.
 *
 * @throws FindingsSqlError on a table that is no plain name
 */
export function scopeOf({ table = "otel_traces", from, to, runId, literal }: FindingsSqlOptions): QueryScope {
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

/**
 * Values of the parameters.
 *
 * @throws FindingsSqlError on a time that is none
 */
export function parametersOf({ from, to, runId }: FindingsSqlOptions): Record<string, string> {
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

/** True where a span carries one of these fields, which other programs write. */
export function writtenSql(
  fields: readonly Field[],
  { table, time }: Pick<QueryScope, "table" | "time">,
): string {
  const there = fields
    .flatMap((field) => FOREIGN[field] ?? [])
    .map((one) => `${one} != ''`)
    .join(" OR ");
  return `(SELECT count() FROM (
  SELECT 1 FROM ${table} WHERE ${time === "" ? "" : `${time} AND `}(${there}) LIMIT 1)) > 0`;
}
