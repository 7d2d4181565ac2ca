/**
 * A look at the table before anything is asked of it: is it there, may it be read, has it the columns.
 *
 * @module
 */
import { tableName } from "../../../findings/sql/literals.ts";
import { type FindingsSqlOptions, parametersOf, scopeOf } from "../../../findings/sql/query-scope.ts";
import { ClickHouseError, noColumns, notClickHouse, SERVER_ERRORS, tooOld } from "./clickhouse-error.ts";
import type { ClickHouseReader } from "./reader.ts";
import { countOf } from "./values.ts";

/** The columns of the exporter's table that the rules read. */
const COLUMNS = [
  "Timestamp",
  "TraceId",
  "SpanId",
  "ParentSpanId",
  "SpanName",
  "ResourceAttributes",
  "ScopeName",
  "SpanAttributes",
  "Duration",
  "StatusCode",
  "StatusMessage",
  "Events.Name",
  "Events.Attributes",
];
/** The first version that knows recursive common table expressions. */
const OLDEST = [24, 4] as const;

/**
 * Spans in the table and the time.
 *
 * @throws {ClickHouseError}
 */
export async function lookAtTable(reader: ClickHouseReader, options: FindingsSqlOptions): Promise<number> {
  const { time } = scopeOf(options);
  const table = tableName(options.table ?? "otel_traces");
  const names = COLUMNS.map((name) => `\`${name}\``).join(", ");
  const { run_id: _, ...parameters } = parametersOf(options);
  try {
    const [line] = await reader.ask({
      sql: `SELECT version() AS version, count() AS spans
FROM (SELECT ${names} FROM ${table}${time === "" ? "" : ` WHERE ${time}`})
`,
      parameters,
    });
    if (!isRecent(line?.version)) throw tooOld();
    return countOf(line?.spans);
  } catch (error) {
    if (error instanceof ClickHouseError && COLUMN_ERRORS.has(error.server ?? 0))
      await nameColumns(reader, table);
    throw error;
  }
}

const COLUMN_ERRORS: ReadonlySet<number> = new Set([
  SERVER_ERRORS.unknownIdentifier,
  SERVER_ERRORS.noSuchColumn,
]);

// Says which columns are missing, where that can be found out.
async function nameColumns(reader: ClickHouseReader, table: string): Promise<void> {
  const lines = await reader.ask({ sql: `DESCRIBE TABLE ${table}`, parameters: {} });
  const there = new Set(lines.map(({ name }) => name));
  const missing = COLUMNS.filter((name) => !there.has(name));
  if (missing.length > 0) throw noColumns(missing);
}

function isRecent(version: unknown): boolean {
  const [, major, minor] = /^(\d{1,4})\.(\d{1,4})\b/.exec(String(version)) ?? [];
  if (major === undefined || minor === undefined) throw notClickHouse();
  return Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]);
}
