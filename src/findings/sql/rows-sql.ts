/**
 * The rows that rules are evaluated on, as common table expressions over the table of the OpenTelemetry Collector's
 * ClickHouse exporter.
 *
 * @module
 */
import { indented } from "./literals.ts";
import { CONVENTION_COLUMNS, ROLE_COLUMNS, SPAN_COLUMNS } from "./span-columns.ts";

/** What limits the rows. */
export interface RowsScope {
  /** Quoted. */
  readonly table: string;
  /** Conditions on the table's own columns; may be empty. */
  readonly time: string;
  /** Only traces that carry labels. The letter of some rules looks at others too. */
  readonly labelledOnly: boolean;
  /** A parameter that holds the id of the only run to judge. */
  readonly runParameter: string | undefined;
  /** Columns of `spans` besides those that rules read. */
  readonly more?: readonly (readonly [name: string, sql: string])[];
}

/** Steps upwards that are taken from a span. */
export const MAX_DEPTH = 64;
/** Layers that one call can have, as in the verifier. */
const MAX_LAYERS = 16;

const LABELS = "arrayCount(x -> startsWith(x, 'trustabl.'), mapKeys(SpanAttributes))";
const LABELLED_EVENT = "arrayExists(x -> startsWith(x, 'trustabl.'), `Events.Name`)";

// One call: the same call id, else the same tool, else an MCP span below another tool's.
const SAME_TOOL =
  "o.2 = x.3 OR endsWith(o.2, concat('__', x.3)) OR endsWith(x.3, concat('__', o.2)) OR endsWith(o.2, concat('.', x.3)) OR endsWith(x.3, concat('.', o.2))";
const SAME_CALL = `multiIf(o.3 != '' AND x.4 != '', o.3 = x.4, o.2 != '' AND x.3 != '', ${SAME_TOOL}, o.4 = 1)`;

const columns = (list: readonly (readonly [name: string, sql: string])[]): string =>
  list.map(([name, sql]) => `    ${indented(sql, 4).trimStart()} AS ${name}`).join(",\n");

/** The common table expressions; the last one is `rows`. They stand behind WITH RECURSIVE. */
export function rowsSql({ table, time, labelledOnly, runParameter, more = [] }: RowsScope): string {
  const and = (...conditions: readonly string[]): string =>
    conditions.filter((one) => one !== "").join(" AND ");
  const run = runParameter === undefined ? "" : `SpanAttributes['trustabl.run_id'] = ${runParameter}`;
  const inLabelled =
    labelledOnly || run !== ""
      ? `TraceId IN (
    SELECT TraceId FROM ${table}
    WHERE ${and(time, run !== "" ? run : `(${LABELS} > 0 OR ${LABELLED_EVENT})`)})`
      : "";
  const where = and(time, inLabelled);
  return `-- The spans of every trace that matters, once each: of two copies the one with more labels.
exported AS (
  SELECT * REPLACE (CAST(SpanName, 'String') AS SpanName, CAST(StatusCode, 'String') AS StatusCode)
  FROM ${table}${where === "" ? "" : `\n  WHERE ${where}`}
  ORDER BY ${LABELS} DESC, Duration DESC
  LIMIT 1 BY TraceId, SpanId
),

-- What a span is, by the names that instrumentations use.
recognised AS (
  SELECT *,
${columns(CONVENTION_COLUMNS)}
  FROM exported
),
named AS (
  SELECT *,
${columns(ROLE_COLUMNS)}
  FROM recognised
),

-- Its labels; a label of the wrong form is empty.
spans AS (
  SELECT convention, role,
${columns([...SPAN_COLUMNS, ...more])}
  FROM named
),

-- Everything above each span that matters, step by step.
above AS (
  SELECT
    trace_id, span_id, parent_id AS next_id, toUInt16(0) AS depth,
    '' AS above_role, '' AS above_tool, '' AS above_call_id, toUInt8(0) AS above_repeats, '' AS above_run_id,
    toUInt8(0) AS above_is_agent, '' AS above_id
  FROM spans
  WHERE notable
  UNION ALL
  SELECT
    above.trace_id, above.span_id, s.parent_id, toUInt16(above.depth + 1),
    s.role, s.tool, s.call_id, toUInt8(s.repeats), s.own_run_id,
    toUInt8(s.role = 'agent' OR (s.role != 'tool' AND s.exit_reason != '')), s.span_id
  FROM above INNER JOIN spans AS s ON s.trace_id = above.trace_id AND s.span_id = above.next_id
  WHERE above.next_id != '' AND above.depth < ${MAX_DEPTH}
),
lineages AS (
  SELECT
    trace_id, span_id,
    arraySort(x -> x.1, groupArrayIf((depth, above_id, above_tool, above_call_id, above_repeats, above_role, above_run_id, above_is_agent), depth > 0)) AS chain
  FROM above
  GROUP BY trace_id, span_id
),

-- The run of each span, whether it is the run's root, and the outermost span of the same call.
placed AS (
  SELECT
    spans.*,
    arrayFirst(x -> x.6 != 'tool' AND x.7 != '', chain).7 AS owner_run_id,
    if(own_run_id != '', own_run_id, owner_run_id) AS run_id,
    if(run_id != '', run_id, trace_id) AS scope_id,
    NOT arrayExists(x -> x.6 != 'tool' AND x.7 = own_run_id, chain) AS is_outermost,
    kind = 'span' AND own_run_id != '' AND is_outermost AS is_root,
    arrayFirstIndex(x -> x.8 = 1, chain) AS agent_at,
    arraySlice(arrayFilter(x -> x.6 = 'tool', if(agent_at = 0, chain, arraySlice(chain, 1, agent_at - 1))), 1, ${MAX_LAYERS}) AS tools_above,
    if(role = 'tool',
      arrayFold((o, x) -> if(${SAME_CALL}, (x.2, x.3, x.4, x.5), o), tools_above, (toString(span_id), tool, call_id, toUInt8(repeats))).1,
      toString(span_id)) AS outermost_id,
    NOT labelled AND (seems_not_run OR (span_name = 'claude_code.tool' AND (trace_id, span_id) NOT IN (
      SELECT TraceId, ParentSpanId FROM exported WHERE SpanName = 'claude_code.tool.execution'))) AS not_run,
    (ifNull(step_index, 9223372036854775807), start, toString(span_id), toString(trace_id)) AS position
  FROM spans INNER JOIN lineages ON lineages.trace_id = spans.trace_id AND lineages.span_id = spans.span_id
),

-- One row for each call, however many spans stand for it, and for every other labelled span.
rows AS (
  SELECT * REPLACE (
    max(decision) OVER layers AS decision,
    max(constraint_kind) OVER layers AS constraint_kind,
    max(reason_code) OVER layers AS reason_code,
    max(data_class) OVER layers AS data_class
  )
  FROM placed
  WINDOW layers AS (PARTITION BY trace_id, outermost_id)
  ORDER BY labelled DESC, span_id = outermost_id DESC, start, span_id
  LIMIT 1 BY trace_id, outermost_id
)`;
}
