/** The panels of the dashboard. */
import { BUCKET, findings, IS_CALL, label, type Panel, type Row, spans, TOOL } from "./panel.ts";

const stat = (title: string, description: string, sql: string, more: Partial<Panel> = {}): Panel => ({
  title,
  description,
  sql,
  kind: "stat",
  width: 4,
  height: 4,
  ...more,
});

const runs: Row = {
  title: "Runs",
  panels: [
    stat(
      "Runs",
      "Runs that a labelled span belongs to.",
      `SELECT uniqExact(${label("run_id")}) AS runs\n${spans(`${label("run_id")} != ''`)}`,
    ),
    stat(
      "Tool calls",
      "Calls that carry an attempt, one for each call.",
      `SELECT count() AS calls\n${spans(IS_CALL)}`,
    ),
    stat(
      "Failed calls",
      "Share of calls with an error class or an error status.",
      `SELECT countIf(${label("tool.error_class")} != '' OR StatusCode IN ('Error', 'STATUS_CODE_ERROR')) / greatest(count(), 1) AS failed\n${spans(IS_CALL)}`,
      { unit: "percentunit", bad: "orange" },
    ),
    stat(
      "Repeated calls",
      "Calls that the same run has made before, with the same tool and arguments.",
      `SELECT countIf(toUInt32OrZero(${label("tool.attempt")}) > 1) AS repeated\n${spans(IS_CALL)}`,
      { bad: "orange" },
    ),
    stat(
      "Irreversible calls",
      "Calls of tools whose effect cannot be undone.",
      `SELECT count() AS calls\n${spans(IS_CALL, `${label("tool.side_effect")} = 'irreversible'`)}`,
      { bad: "red" },
    ),
    stat(
      "Runs without a policy",
      "Ended runs none of whose spans carries a policy binding.",
      `SELECT countIf(bound = 0 AND ended = 1) AS runs
FROM (
  SELECT ${label("run_id")} AS run, max(has(\`Events.Name\`, 'trustabl.policy.binding')) AS bound,
    max(${label("exit_reason")} != '') AS ended
${indent(spans(`${label("run_id")} != ''`))}
  GROUP BY run
)`,
      { bad: "red" },
    ),
    {
      title: "How runs ended",
      description: "Exit reasons over time.",
      kind: "timeseries",
      width: 12,
      height: 8,
      sql: `SELECT ${BUCKET}, ${label("exit_reason")} AS reason, count() AS runs\n${spans(`${label("exit_reason")} != ''`)}\nGROUP BY time, reason\nORDER BY time, reason`,
    },
    {
      title: "Latest runs",
      description: "What each run did and how it ended.",
      kind: "table",
      width: 12,
      height: 8,
      sql: `SELECT ${label("run_id")} AS run, min(Timestamp) AS started, anyLast(ServiceName) AS service,
  countIf(${IS_CALL}) AS calls, max(toUInt32OrZero(${label("tool.attempt")})) AS highest_attempt,
  max(${label("exit_reason")}) AS ended, any(TraceId) AS trace
${spans(`${label("run_id")} != ''`)}
GROUP BY run
ORDER BY started DESC
LIMIT 50`,
    },
  ],
};

const calls: Row = {
  title: "Loops and retries",
  panels: [
    {
      title: "Attempts",
      description:
        "Calls by how many times the run has made this same call: 2 and more are retries or loops.",
      kind: "timeseries",
      width: 12,
      height: 8,
      sql: `SELECT ${BUCKET}, concat('attempt ', if(toUInt32OrZero(${label("tool.attempt")}) >= 4, '4+', ${label("tool.attempt")})) AS attempt, count() AS calls\n${spans(IS_CALL)}\nGROUP BY time, attempt\nORDER BY time, attempt`,
    },
    {
      title: "Loops",
      description: "The same call at least three times in one run, whose tool is not pure.",
      kind: "table",
      width: 12,
      height: 8,
      sql: `SELECT ${label("run_id")} AS run, ${TOOL} AS tool, ${label("tool.input_fp")} AS arguments, count() AS calls,
  uniqExact(${label("tool.output_fp")}) AS results, max(Timestamp) AS latest, any(TraceId) AS trace
${spans(`${label("tool.input_fp")} != ''`, `${label("run_id")} != ''`, `${label("tool.side_effect")} != 'pure'`)}
GROUP BY run, tool, arguments
HAVING calls >= 3
ORDER BY calls DESC, latest DESC
LIMIT 50`,
    },
    {
      title: "Tools",
      description: "What each tool costs in retries and failures.",
      kind: "table",
      width: 12,
      height: 8,
      sql: `SELECT ${TOOL} AS tool, anyLast(${label("tool.side_effect")}) AS side_effect, count() AS calls,
  countIf(toUInt32OrZero(${label("tool.attempt")}) > 1) AS repeated,
  countIf(${label("tool.error_class")} != '') AS failed,
  max(toUInt32OrZero(${label("tool.attempt")})) AS highest_attempt, quantile(0.95)(Duration) / 1e6 AS p95_ms
${spans(IS_CALL)}
GROUP BY tool
ORDER BY repeated DESC, calls DESC, tool
LIMIT 100`,
    },
    {
      title: "Error classes",
      description: "How calls fail.",
      kind: "timeseries",
      width: 12,
      height: 8,
      sql: `SELECT ${BUCKET}, ${label("tool.error_class")} AS class, count() AS calls\n${spans(`${label("tool.error_class")} != ''`)}\nGROUP BY time, class\nORDER BY time, class`,
    },
  ],
};

const effects: Row = {
  title: "Side effects, policies, delegation",
  panels: [
    {
      title: "Side effects",
      description: "Calls by what the tool can do to the world; `undeclared` where it does not say.",
      kind: "timeseries",
      width: 12,
      height: 8,
      sql: `SELECT ${BUCKET}, if(${label("tool.side_effect")} = '', 'undeclared', ${label("tool.side_effect")}) AS side_effect, count() AS calls\n${spans(IS_CALL)}\nGROUP BY time, side_effect\nORDER BY time, side_effect`,
    },
    {
      title: "Policies in force",
      description: "Every policy that a run was bound by, each version and hash on a line of its own.",
      kind: "table",
      width: 12,
      height: 8,
      sql: `SELECT policy['trustabl.policy.binding.id'] AS policy_id, policy['trustabl.policy.binding.type'] AS type,
  policy['trustabl.policy.binding.version'] AS version, left(policy['trustabl.policy.binding.sha256'], 12) AS sha256,
  uniqExactIf(run, run != '') AS runs, max(Timestamp) AS latest
FROM (
  SELECT Timestamp, ${label("run_id")} AS run,
    arrayJoin(arrayFilter((policy, name) -> name = 'trustabl.policy.binding', \`Events.Attributes\`, \`Events.Name\`)) AS policy
${indent(spans("has(`Events.Name`, 'trustabl.policy.binding')"))}
)
GROUP BY policy_id, type, version, sha256
ORDER BY type, policy_id, latest DESC
LIMIT 100`,
    },
    {
      title: "Delegated agents",
      description: "Delegations, and whether the delegated agent has a policy of its own.",
      kind: "table",
      width: 12,
      height: 6,
      sql: `SELECT SpanName AS agent, uniqExact(TraceId, ${label("handoff_id")}) AS delegations,
  uniqExactIf((TraceId, ${label("handoff_id")}), has(\`Events.Name\`, 'trustabl.policy.binding')) AS bound
${spans(`${label("handoff_id")} != ''`)}
GROUP BY agent
ORDER BY delegations DESC, agent
LIMIT 50`,
    },
    {
      title: "Decisions on calls",
      description: "What constraints decided, where a mediator writes it: by tool.",
      kind: "table",
      width: 12,
      height: 6,
      sql: `SELECT ${TOOL} AS tool, ${label("constraint.decision")} AS decision, count() AS calls\n${spans(`${label("constraint.decision")} != ''`)}\nGROUP BY tool, decision\nORDER BY calls DESC, tool, decision\nLIMIT 50`,
    },
  ],
};

const found: Row = {
  title: "Findings (needs the table of kept rows, see docs/scale.md)",
  panels: [
    {
      title: "Findings by rule",
      description: "How often each rule fired in the time that is shown.",
      kind: "table",
      width: 8,
      height: 10,
      sql: findings(
        "rule, severity, count() AS findings, uniqExact(run_id) AS runs",
        "GROUP BY rule, severity\nORDER BY findings DESC, rule",
      ),
    },
    {
      title: "Latest findings",
      description: "What the rules found, with the span that completes it.",
      kind: "table",
      width: 16,
      height: 10,
      sql: findings(
        "time, severity, rule, run_id AS run, span_name AS span, toString(evidence) AS evidence, trace_id AS trace",
        "ORDER BY time DESC, rule, trace, span\nLIMIT 100",
      ),
    },
  ],
};

/** All rows, from top to bottom. */
export const ROWS: readonly Row[] = [runs, calls, effects, found];

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}
