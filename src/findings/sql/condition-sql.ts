/**
 * Any condition as SQL on `rows`: one line of result for each finding.
 *
 * @module
 */
import { SHOWN_VALUES } from "../conditions/drift.ts";
import { type Field, fieldRow } from "../rows/fields.ts";
import { type Condition, isAboutRuns, type Rule, type Subject, type Test } from "../rules/rule.ts";
import { quoted, quotedList } from "./literals.ts";

/** Where a condition gets its rows from. */
export interface RowSource {
  /** `rows`, or a table that was filled with them. */
  readonly from: string;
  /** Conditions that always hold; may be empty. */
  readonly where: string;
}

/** A subject's rows. */
export const SUBJECT_SQL: Readonly<Record<Subject, string>> = {
  calls: "kind = 'call'",
  roots: "is_root",
  agents: "role = 'agent'",
  delegations: "kind = 'span' AND handoff_id != ''",
  policies: "",
  spans: "",
};

const column = (field: Field): string => fieldRow(field).column;
const text = (field: Field): string =>
  fieldRow(field).type === undefined ? column(field) : `ifNull(toString(${column(field)}), '')`;

/** A test. */
export function testSql(test: Test): string {
  const name = column(test.field);
  const { type } = fieldRow(test.field);
  if ("there" in test) {
    if (type === "flag") return test.there ? name : `NOT ${name}`;
    if (type === "count") return `${name} IS ${test.there ? "NOT " : ""}NULL`;
    return `${name} ${test.there ? "!=" : "="} ''`;
  }
  if ("atLeast" in test) return `ifNull(${name}, 0) >= ${test.atLeast}`;
  if ("is" in test) return `${name} IN (${valuesSql(test.is)})`;
  return `${name} NOT IN (${valuesSql(test.not)})`;
}

const valuesSql = (values: readonly (string | boolean)[]): string =>
  values.map((value) => (typeof value === "boolean" ? String(value) : quoted(value))).join(", ");

const all = (conditions: readonly string[]): string =>
  conditions.filter((one) => one !== "").join("\n  AND ");
const where = (conditions: readonly string[]): string => {
  const text = all(conditions);
  return text === "" ? "" : `\nWHERE ${text}`;
};
const anyOf = (alternatives: readonly (readonly Test[])[]): string =>
  alternatives.map((tests) => `(${tests.map(testSql).join(" AND ")})`).join(" OR ");

// What goes with a finding; values that are not there are left out at the end.
const evidenceMap = (fields: readonly Field[]): string =>
  `map(${fields.length === 0 ? "'', ''" : fields.map((field) => `${quoted(fieldRow(field).label)}, ${text(field)}`).join(", ")})`;
const HIT = "(run_id, trace_id, span_id, span_name, start";
const hit = (fields: readonly Field[]): string => `${HIT}, ${evidenceMap(fields)})`;

/** A query whose columns are `hit` (run, trace, span, name, start, evidence) and `count`. */
export function hitsSql(condition: Condition, { evidence }: Rule, source: RowSource): string {
  const about = [source.where, isAboutRuns(condition) ? "run_id != ''" : ""];
  const from = `FROM ${source.from}`;
  switch (condition.kind) {
    case "each":
      return eachSql(condition, evidence, from, about);
    case "repeat":
      return repeatSql(condition, evidence, from, about);
    case "drift":
      return driftSql(condition, from, about);
    case "unbound":
      return unboundSql(condition, evidence, from, about);
    case "sequence":
      return sequenceSql(condition, evidence, from, about);
    case "lacking":
      return `SELECT argMin(${hit(evidence)}, position) AS hit, count() AS count
${from}${where([...about, SUBJECT_SQL.calls, "NOT not_run", `(${condition.labels.map((field) => testSql({ field, there: false })).join(" OR ")})`])}
GROUP BY run_id`;
  }
}

function eachSql(
  { subject, where: tests, groupBy }: Extract<Condition, { kind: "each" }>,
  evidence: readonly Field[],
  from: string,
  about: readonly string[],
): string {
  const conditions = where([...about, SUBJECT_SQL[subject], ...tests.map(testSql)]);
  if (groupBy === undefined) return `SELECT ${hit(evidence)} AS hit, 1 AS count\n${from}${conditions}`;
  return `SELECT argMin(${hit(evidence)}, position) AS hit, count() AS count
${from}${conditions}
GROUP BY scope_id, run_id, ${groupBy.map(column).join(", ")}`;
}

function repeatSql(
  { where: tests, groupBy, window, count }: Extract<Condition, { kind: "repeat" }>,
  evidence: readonly Field[],
  from: string,
  about: readonly string[],
): string {
  const group = ["run_id", ...groupBy.map(column)].join(", ");
  return `SELECT argMinIf(hit, position, step_index - earlier < ${window}) AS hit, count() AS count
FROM (
  -- earlier: the step of the equal call ${count - 1} calls before.
  SELECT ${group}, step_index, position, ${hit(evidence)} AS hit,
    lagInFrame(step_index, ${count - 1}, NULL) OVER (
      PARTITION BY ${group} ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS earlier
  ${from}
  WHERE ${all([...about, SUBJECT_SQL.calls, "step_index IS NOT NULL", ...tests.map(testSql)])}
)
GROUP BY ${group}
HAVING countIf(step_index - earlier < ${window}) > 0`;
}

/** A run's policies, one line each: those of binding events, and the bundle of another producer. */
export const policiesSql = (from: string, about: readonly string[]): string => `(
  SELECT run_id, scope_id, trace_id, span_id, span_name, position,
    policy.1 AS policy_id, policy.3 AS policy_sha256, policy.4 AS policy_version
  ${from}
  ARRAY JOIN arrayConcat(policies, if(bundle_id != '' AND bundle_sha256 != '', [(concat('bundle ', bundle_id), '', bundle_sha256, '')], [])) AS policy${where(about)}
)`;

function driftSql(
  { subject, where: tests, groupBy, values }: Extract<Condition, { kind: "drift" }>,
  from: string,
  about: readonly string[],
): string {
  const group = ["run_id", ...groupBy.map(column)].join(", ");
  const [source, conditions] =
    subject === "policies"
      ? [`FROM ${policiesSql(from, about)}`, tests.map(testSql)]
      : [from, [...about, SUBJECT_SQL[subject], ...tests.map(testSql)]];
  const shown = [
    ...groupBy.map((field) => `${quoted(fieldRow(field).label)}, ${column(field)}`),
    ...values.map((field, index) => `${quoted(fieldRow(field).label)}, maxIf(texts, nth = ${index})`),
  ];
  return `SELECT (run_id, second.2, second.3, second.4, second.1.2, map(${shown.join(", ")})) AS hit, max(different) AS count,
  argMinIf(seconds, seconds.1, different > 1) AS second
FROM (
  SELECT ${group}, nth, count() AS different, arraySort(groupArray(first))[2] AS seconds,
    arrayStringConcat(arraySlice(arraySort(groupArray(value)), 1, ${SHOWN_VALUES}), ', ') AS texts
  FROM (
    -- Each value, and where it is seen first.
    SELECT ${group}, one.1 AS nth, one.2 AS value, min((position, trace_id, span_id, span_name)) AS first
    ${source}
    ARRAY JOIN [${values.map((field, index) => `(${index}, toString(${column(field)}))`).join(", ")}] AS one
    WHERE ${all([...conditions, "one.2 != ''"])}
    GROUP BY ${group}, nth, value
  )
  GROUP BY ${group}, nth
)
GROUP BY ${group}
HAVING max(different) > 1`;
}

function unboundSql(
  { subject, types }: Extract<Condition, { kind: "unbound" }>,
  evidence: readonly Field[],
  from: string,
  about: readonly string[],
): string {
  const shown = (missing: string): string =>
    `${HIT}, mapUpdate(${evidenceMap(evidence)}, map('missing', ${missing})))`;
  if (subject === "delegations") {
    return `SELECT argMin(${shown("'any'")}, position) AS hit, 1 AS count
${from}${where([...about, SUBJECT_SQL.delegations])}
GROUP BY scope_id, run_id, trace_id, handoff_id
HAVING sum(length(policies)) = 0`;
  }
  const missing =
    types === "any"
      ? "if(empty(policies), ['any'], [])"
      : `arrayFilter(type -> NOT has(policies.2, type), [${quotedList(types)}])`;
  return `SELECT ${shown(`arrayStringConcat(${missing}, ', ')`)} AS hit, length(${missing}) AS count
${from}${where([...about, SUBJECT_SQL[subject], `notEmpty(${missing})`])}`;
}

function sequenceSql(
  { denied, allowed, same, end }: Extract<Condition, { kind: "sequence" }>,
  evidence: readonly Field[],
  from: string,
  about: readonly string[],
): string {
  const partition = ["run_id", ...(same === undefined ? [] : [column(same)])].join(", ");
  return `SELECT argMin(hit, position) AS hit, count() AS count
FROM (
  SELECT run_id, step_index, position, ${hit(evidence)} AS hit, (${anyOf(denied)}) AS is_denied,
    max(if(${anyOf(allowed)}, step_index, -1)) OVER (PARTITION BY ${partition}) AS last_allowed
  ${from}
  WHERE ${all([...about, SUBJECT_SQL.calls, "step_index IS NOT NULL"])}
)
WHERE is_denied AND step_index > last_allowed
  AND run_id IN (
    SELECT run_id ${from}
    WHERE ${all([...about, SUBJECT_SQL[end.subject], ...end.where.map(testSql)])})
GROUP BY run_id`;
}
