/**
 * How long the findings take on ten million spans, and how much memory: made inside the embedded engine, from numbers.
 *
 *     npx tsx ten-million.ts            # in this folder; SPANS=1000000 for fewer, HOURS=1 for rows of one hour only
 */
import { readFileSync } from "node:fs";
import { Session } from "chdb";
import { findingsRowsSql, findingsSql, RULE_IDS } from "../../src/findings/index.ts";
import { examinedSql } from "../../src/findings/sql/examined-sql.ts";

const SPANS = Number(process.env.SPANS ?? 10_000_000);
const SPANS_OF_ONE_RUN = 20;
const RUNS = Math.floor(SPANS / SPANS_OF_ONE_RUN);
const RUNS_OF_ONE_INSERT = 50_000;
// Of the traces, those without any label: a service has other work too.
const UNLABELLED_EVERY = 4;

/** Hours of the day whose rows are made, one after the other, as somebody does who keeps them. */
const HOURS = Number(process.env.HOURS ?? 24);

const session = new Session();
const exporter = readFileSync(new URL("otel-traces.sql", import.meta.url), "utf8");

function timed<Result>(what: string, work: () => Result): Result {
  const [started, before] = [performance.now(), process.cpuUsage()];
  const result = work();
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - started) / 1_000;
  const cpu = (user + system) / 1_000_000;
  console.log(
    `${what.padEnd(44)} ${seconds.toFixed(1).padStart(8)} s   cpu ${cpu.toFixed(1).padStart(7)} s   peak ${peakMemory()} MB`,
  );
  return result;
}

/** The most that this process has had in memory, since that was last looked at. */
function peakMemory(): string {
  const [, kilobytes = "0"] = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return (Number(kilobytes) / 1_000).toFixed(0);
}

const ask = (sql: string): Record<string, unknown>[] =>
  session
    .query(sql, "JSONEachRow")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/**
 * Runs of twenty spans: an agent, a model's step, and eighteen calls of six tools. One run in ten loops, one in fifty has a
 * call that is tried six times, one in a hundred calls an irreversible tool without a decision.
 */
const insert = (first: number, count: number): string => `INSERT INTO otel_traces
  (Timestamp, TraceId, SpanId, ParentSpanId, SpanName, SpanKind, ServiceName, ResourceAttributes, ScopeName,
   SpanAttributes, Duration, StatusCode, \`Events.Timestamp\`, \`Events.Name\`, \`Events.Attributes\`)
WITH
  intDiv(number, ${SPANS_OF_ONE_RUN}) + ${first} AS run,
  number % ${SPANS_OF_ONE_RUN} AS place,
  place - 2 AS step,
  run % ${UNLABELLED_EVERY} != 0 AS labelled,
  leftPad(lower(hex(run)), 16, '0') AS run_id,
  concat(run_id, run_id) AS trace,
  run % 10 = 1 AND step < 3 AS loops,
  run % 50 = 2 AND step BETWEEN 3 AND 8 AS storms,
  concat('tool_', toString(if(loops, 0, if(storms, 1, cityHash64(run, step) % 6)))) AS tool,
  lower(hex(if(loops OR storms, cityHash64(run), cityHash64(run, step)))) AS fp,
  now() - INTERVAL 1 DAY + INTERVAL intDiv(run * 86400, ${RUNS}) SECOND AS at
SELECT
  toDateTime64(at, 9) + INTERVAL place SECOND,
  trace,
  concat(leftPad(lower(hex(run)), 12, '0'), leftPad(lower(hex(place)), 4, '0')),
  multiIf(place = 0, '', place = 1, concat(leftPad(lower(hex(run)), 12, '0'), '0000'), concat(leftPad(lower(hex(run)), 12, '0'), '0001')),
  multiIf(NOT labelled, 'GET /', place = 0, 'invoke_agent desk', place = 1, 'chat', concat('execute_tool ', tool)),
  'Internal',
  concat('service-', toString(run % 20)),
  map('service.name', concat('service-', toString(run % 20)), 'host.name', concat('host-', toString(run % 97))),
  'desk',
  multiIf(
    NOT labelled, map('http.request.method', 'GET', 'http.route', '/', 'http.response.status_code', '200'),
    place = 0, map('gen_ai.operation.name', 'invoke_agent', 'gen_ai.agent.name', 'desk', 'trustabl.run_id', run_id,
      'trustabl.exit_reason', if(run % 7 = 0, 'max_steps', 'final_answer')),
    place = 1, map('gen_ai.operation.name', 'chat', 'gen_ai.request.model', 'a-model'),
    map('gen_ai.operation.name', 'execute_tool', 'gen_ai.tool.name', tool, 'gen_ai.tool.call.id', concat('call_', fp),
      'trustabl.run_id', run_id, 'trustabl.step_index', toString(step),
      'trustabl.tool.attempt', toString(multiIf(loops, step + 1, storms, step - 2, 1)),
      'trustabl.tool.input_fp', leftPad(fp, 16, '0'),
      'trustabl.tool.output_fp', leftPad(lower(hex(cityHash64(fp))), 16, '0'),
      'trustabl.tool.side_effect', multiIf(run % 100 = 3 AND step = 5, 'irreversible', cityHash64(tool) % 2 = 0, 'read', 'write'),
      if(run % 100 = 4 AND step = 5, 'trustabl.constraint.decision', 'app.note'), 'allow')),
  1000000 * (1 + place),
  if(place > 1 AND cityHash64(run, place) % 40 = 0, 'Error', 'Unset'),
  if(labelled AND place = 0, [toDateTime64(at, 9)], []),
  if(labelled AND place = 0, ['trustabl.policy.binding'], []),
  if(labelled AND place = 0, [map('trustabl.policy.binding.id', 'desk-sandbox', 'trustabl.policy.binding.type', 'sandbox',
    'trustabl.policy.binding.sha256', repeat('ab', 32), 'trustabl.policy.binding.version', '3')], [])
FROM numbers(${count * SPANS_OF_ONE_RUN})`;

session.query("CREATE DATABASE IF NOT EXISTS spans");
session.query("USE spans");
// Rather an error than a machine that swaps.
session.query("SET max_memory_usage = 8000000000");
session.query(exporter);
timed(`${SPANS.toLocaleString("en-US")} spans made`, () => {
  for (let first = 0; first < RUNS; first += RUNS_OF_ONE_INSERT) {
    session.query(insert(first, Math.min(RUNS_OF_ONE_INSERT, RUNS - first)));
  }
});
const [size] = ask(
  "SELECT count() AS spans, (SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table = 'otel_traces') AS bytes FROM otel_traces",
);
console.log(JSON.stringify(size));

const DAY_BEGAN = Date.now() - 24 * 3_600_000;
for (let hour = 0; hour < HOURS; hour += 1) {
  const { sql, parameters } = findingsRowsSql({
    from: new Date(DAY_BEGAN + hour * 3_600_000),
    to: new Date(DAY_BEGAN + (hour + 1) * 3_600_000),
  });
  if (hour === 0) {
    session.queryBind(
      `CREATE TABLE trustabl_rows ENGINE = ReplacingMergeTree ORDER BY (run_id, trace_id, span_id) AS SELECT * FROM (${sql}) LIMIT 0`,
      parameters,
      "JSONEachRow",
    );
  }
  timed(`rows of hour ${hour + 1}`, () =>
    session.queryBind(`INSERT INTO trustabl_rows ${sql}`, parameters, "JSONEachRow"),
  );
}
console.log(JSON.stringify(ask("SELECT count() AS rows, uniqExact(run_id) AS runs FROM trustabl_rows")[0]));
timed("what each rule looked at", () => ask(examinedSql(RULE_IDS, { rows: "trustabl_rows" }).sql));
for (const rule of RULE_IDS) {
  const { sql } = findingsSql(rule, { rows: "trustabl_rows" });
  const [found] = timed(rule, () => ask(`SELECT count() AS found FROM (${sql})`));
  console.log(`    ${JSON.stringify(found)}`);
}
session.cleanup();
