/**
 * The findings of a table, as the report that files get.
 *
 * @module
 */
import { ruleFindingOf, ruleResultOf, shownEvidence } from "../../../findings/engine/rule-result.ts";
import type { FindingsReport, RuleFinding } from "../../../findings/finding.ts";
import { FIELDS, type Field, fieldRow } from "../../../findings/rows/fields.ts";
import { RULES } from "../../../findings/rules/index.ts";
import { type Rule, type RuleId, SEVERITIES } from "../../../findings/rules/rule.ts";
import { examinedSql } from "../../../findings/sql/examined-sql.ts";
import { findingsRowsSql, findingsSql } from "../../../findings/sql/findings-sql.ts";
import type { FindingsQuery, FindingsSqlOptions } from "../../../findings/sql/query-scope.ts";
import { cleanText } from "../../../verify/clean-text.ts";
import type { Progress } from "../../verify/progress.ts";
import { ClickHouseError, SERVER_ERRORS } from "./clickhouse-error.ts";
import { lookAtTable } from "./look-at-table.ts";
import type { ClickHouseReader } from "./reader.ts";
import { countOf, listOf, mapOf, textOf } from "./values.ts";

/** Findings kept of each rule, as of a file; counts stay exact. */
const MAX_FINDINGS = 1_000;
const NAME_LENGTH = 80;
const TEMPORARY_TABLE = "trustabl_rows";

/**
 * Runs the rules on the server.
 *
 * @throws {ClickHouseError}
 * @throws FindingsSqlError on a table that is no plain name
 */
export async function findingsOfTable(
  reader: ClickHouseReader,
  rules: readonly RuleId[],
  options: FindingsSqlOptions,
  progress: Progress,
): Promise<FindingsReport> {
  const spans = await lookAtTable(reader, options);
  progress.show(() => "ClickHouse  making the rows");
  const rows = await sharedRows(reader, options);
  const scope = { ...options, rows };
  const [examined] = await reader.ask(examinedSql(rules, scope));
  const waiting = new Set(listOf(examined?.waiting));
  const counts = mapOf(examined?.examined);
  const found: RuleFinding[] = [];
  const results = [];
  for (const rule of RULES.filter(({ id }) => rules.includes(id))) {
    progress.show(() => `ClickHouse  ${rule.id}`);
    const waits = waiting.has(rule.id);
    const lines = waits ? [] : await reader.ask(firstFindings(rule, scope));
    const total = lines.length === 0 ? 0 : countOf(lines[0]?.total);
    results.push(ruleResultOf(rule, { examined: countOf(counts[rule.id]), found: total, unknown: 0 }, waits));
    found.push(...lines.map((line) => findingOf(rule, line)));
  }
  return {
    literal: options.literal === true,
    examined: { spans, runs: countOf(examined?.runs), toolCalls: countOf(examined?.calls) },
    incomplete: false,
    unreadable: 0,
    problems: [],
    rules: results,
    findings: found.sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)),
    omitted: results.reduce((sum, { counts: { found: all } }) => sum + all, 0) - found.length,
  };
}

// Made once for all rules, in a table that goes with the session. Where the user may not make one, or a balancer sends
// the next query to another server, each rule makes its own.
async function sharedRows(
  reader: ClickHouseReader,
  options: FindingsSqlOptions,
): Promise<string | undefined> {
  if (!reader.maySet) return undefined;
  const { sql, parameters } = findingsRowsSql(options);
  try {
    await reader.ask({ sql: `CREATE TEMPORARY TABLE ${TEMPORARY_TABLE} AS\n${sql}`, parameters });
    await reader.ask({ sql: `SELECT 1 AS there FROM ${TEMPORARY_TABLE} LIMIT 1`, parameters: {} });
    return TEMPORARY_TABLE;
  } catch (error) {
    if (error instanceof ClickHouseError && error.server !== undefined && NO_SHARING.has(error.server))
      return undefined;
    throw error;
  }
}

const NO_SHARING: ReadonlySet<number> = new Set([
  SERVER_ERRORS.readonly,
  SERVER_ERRORS.accessDenied,
  SERVER_ERRORS.unknownTable,
]);

// The first by time, each value no longer than it is shown, and how many there are.
function firstFindings(rule: Rule, options: FindingsSqlOptions): FindingsQuery {
  const { sql, parameters } = findingsSql(rule.id, options);
  return {
    sql: `SELECT
  run_id, trace_id, span_id, leftUTF8(span_name, ${NAME_LENGTH * 2}) AS span_name,
  mapApply((name, value) -> (name, leftUTF8(value, 1300)), evidence) AS evidence,
  count() OVER () AS total
FROM (
${sql})
ORDER BY time, trace_id, span_id, run_id
LIMIT ${MAX_FINDINGS}
`,
    parameters,
  };
}

const COUNTED: ReadonlySet<string> = new Set([
  "count",
  ...(Object.keys(FIELDS) as Field[])
    .map(fieldRow)
    .filter(({ type }) => type === "count")
    .map(({ label }) => label),
]);

function findingOf(rule: Rule, line: Record<string, unknown>): RuleFinding {
  const runId = textOf(line.run_id);
  const given = mapOf(line.evidence);
  const evidence: Record<string, string | number> = {};
  const inOrder = [...rule.evidence.map((field) => fieldRow(field).label), ...Object.keys(given)];
  for (const name of new Set(inOrder)) {
    if (name === "count" || !Object.hasOwn(given, name)) continue;
    evidence[cleanText(name, NAME_LENGTH)] = shownEvidence(
      COUNTED.has(name) ? countOf(given[name]) : textOf(given[name]),
    );
  }
  evidence.count = countOf(given.count);
  return ruleFindingOf(rule, {
    runId: runId === "" ? undefined : cleanText(runId, 128),
    span: {
      traceId: cleanText(textOf(line.trace_id), 32),
      spanId: cleanText(textOf(line.span_id), 16),
      name: cleanText(textOf(line.span_name), NAME_LENGTH),
    },
    evidence,
  });
}
