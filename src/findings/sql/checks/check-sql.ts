/**
 * Checks of the verifier as SQL: those that a table of ClickHouse can tell.
 *
 * @module
 */
import { SPAN_ATTRIBUTES } from "../../../attributes/registry.ts";
import { CHECKS } from "../../../verify/checks/index.ts";
import { FindingsSqlError, indented, quoted, quotedList } from "../literals.ts";
import { type FindingsQuery, type FindingsSqlOptions, parametersOf, scopeOf } from "../query-scope.ts";
import { rowsSql } from "../rows-sql.ts";
import { attemptCountSql } from "./attempt-count.ts";
import { labelOnToolSpanOnlySql } from "./label-on-tool-span-only.ts";
import { runEndMarkedSql } from "./run-end-marked.ts";
import { runIdentitySql } from "./run-identity.ts";
import { stepOrderSql } from "./step-order.ts";

/** The checks that there is SQL for. */
export const SQL_CHECK_IDS = [
  "label-on-tool-span-only",
  "run-end-marked",
  "run-identity",
  "step-order",
  "attempt-count",
] as const;

/** One of {@link SQL_CHECK_IDS}. */
export type SqlCheckId = (typeof SQL_CHECK_IDS)[number];

/** Common table expressions behind `placed`; the last one is `faults`. */
type CheckSql = (ofRun: string) => string;

const CHECK_SQL: Readonly<Record<SqlCheckId, CheckSql>> = {
  "label-on-tool-span-only": labelOnToolSpanOnlySql,
  "run-end-marked": runEndMarkedSql,
  "run-identity": runIdentitySql,
  "step-order": stepOrderSql,
  "attempt-count": attemptCountSql,
};

/**
 * A query that gives one line for each thing that a check finds wrong: `check`, `reason`, `message`, `run_id`, `trace_id`,
 * `span_id`, `span_name`, `time`. What `verify` cannot tell for sure is left out; it needs what an SDK says of dropped
 * attributes, which the table does not hold. Needs ClickHouse 24.4 or later, and only reads.
 *
 * @throws FindingsSqlError on a check that there is no SQL for, and as `findingsSql`
 * @example
 * ```ts
 * import { checkSql } from "agent-reliability-otel-labels/findings";
 *
 * const { sql } = checkSql("step-order", { table: "otel.otel_traces" });
 * console.log(sql);
 * ```
 */
export function checkSql(
  check: SqlCheckId,
  options: Omit<FindingsSqlOptions, "rows" | "literal"> = {},
): FindingsQuery {
  const text = CHECKS.find(({ id }) => id === check);
  if (text === undefined || !Object.hasOwn(CHECK_SQL, check)) {
    throw new FindingsSqlError(
      "unknown_check",
      `there is no SQL for such a check; there is for ${SQL_CHECK_IDS.join(", ")}`,
    );
  }
  const scope = scopeOf(options);
  const ofRun = scope.runParameter === undefined ? "true" : `run_id = ${scope.runParameter}`;
  const messages = Object.entries(text.fail).map(
    ([reason, message]) => `  reason = ${quoted(reason)}, ${quoted(message)},`,
  );
  const sql = `-- ${text.id}: ${text.title}.
WITH RECURSIVE
${rowsSql({ ...scope, more: LABEL_COLUMNS })},

${CHECK_SQL[check](ofRun)}
SELECT
  ${quoted(text.id)} AS check,
  reason,
${indented(`multiIf(\n${messages.join("\n")}\n  '') AS message,`, 2)}
  run_id, trace_id, span_id, span_name,
  fromUnixTimestamp64Nano(start, 'UTC') AS time
FROM faults
ORDER BY run_id, time, trace_id, span_id, reason
`;
  return { sql, parameters: parametersOf(options) };
}

// Labels that are there, whatever their form.
const LABEL_COLUMNS = [
  [
    "labels_there",
    `arrayFilter(x -> x IN (${quotedList(Object.keys(SPAN_ATTRIBUTES))}), arrayMap(x -> toString(x), mapKeys(SpanAttributes)))`,
  ],
  ["scope_name", "toString(ScopeName)"],
  ["ended", "start + toInt64(Duration)"],
] as const;
