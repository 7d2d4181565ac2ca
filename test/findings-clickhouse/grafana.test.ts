import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findingsRowsSql, RULE_IDS } from "../../src/findings/index.ts";
import type { SpanView } from "../../src/verify/index.ts";
import { ClickHouse } from "./clickhouse.ts";

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly rawSql: string }[];
}

const dashboard = JSON.parse(
  readFileSync(new URL("../../docs/grafana/agent-reliability.json", import.meta.url), "utf8"),
) as {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { query: string }[] };
};
const panels = dashboard.panels.filter(({ type }) => type !== "row");

const NOON = Date.UTC(2026, 10, 30, 12) / 1_000;

/** What Grafana and its ClickHouse plugin make of a query. */
function expanded(
  sql: string,
  services: readonly string[] = [],
  from = NOON - 3_600,
  to = NOON + 3_600,
): string {
  const list = services.map((name) => `'${name}'`).join(", ");
  return sql
    .replaceAll(/\$__timeFilter\((\w+)\)/g, `$1 >= toDateTime(${from}) AND $1 <= toDateTime(${to})`)
    .replaceAll(/\$__timeInterval\((\w+)\)/g, "toStartOfInterval(toDateTime($1), INTERVAL 60 second)")
    .replaceAll(/\$__conditionalAll\((.*), \$service\)/g, (_, condition: string) =>
      services.length === 0 ? "1=1" : condition.replace(/\$\{service:singlequote\}/, list),
    )
    .replaceAll(
      /\$(table|rows)\b/g,
      (_, name: string) => ({ table: "otel_traces", rows: "trustabl_rows" })[name] ?? "",
    );
}

const BINDING = "trustabl.policy.binding";
const policy = (id: string, type: string, version: string) => ({
  name: BINDING,
  attributes: {
    [`${BINDING}.id`]: id,
    [`${BINDING}.type`]: type,
    [`${BINDING}.sha256`]: version.padEnd(64, "0"),
    [`${BINDING}.version`]: version,
  },
});

let spanNumber = 0;
function span(
  trace: number,
  second: number,
  name: string,
  attributes: Record<string, unknown>,
  more: Partial<SpanView> = {},
): SpanView {
  spanNumber += 1;
  const start = BigInt(NOON + second) * 1_000_000_000n;
  return {
    traceId: trace.toString(16).padStart(32, "0"),
    spanId: spanNumber.toString(16).padStart(16, "0"),
    name,
    scope: "desk",
    start,
    end: start + 250_000_000n,
    status: "unset",
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [key.includes(".") ? key : `trustabl.${key}`, value]),
    ),
    resource: { "service.name": trace === 3 ? "billing" : "desk" },
    events: [],
    droppedAttributes: 0,
    droppedEvents: 0,
    ...more,
  };
}

const call = (
  tool: string,
  step: number,
  fp: string,
  attempt: number,
  more: Record<string, unknown> = {},
) => ({
  "gen_ai.operation.name": "execute_tool",
  "gen_ai.tool.name": tool,
  "trustabl.step_index": step,
  "trustabl.tool.input_fp": fp.repeat(16),
  "trustabl.tool.output_fp": fp.repeat(16),
  "trustabl.tool.attempt": attempt,
  ...more,
});

// Run one loops and is bound by a policy; run two pays, without any; run three, of another service, delegates.
const one = { run_id: "one" };
const two = { run_id: "two" };
const three = { run_id: "three" };
const agent = { "gen_ai.operation.name": "invoke_agent" };
const rootOne = span(
  1,
  0,
  "invoke_agent desk",
  { ...agent, ...one, exit_reason: "final_answer" },
  {
    events: [policy("desk-sandbox", "sandbox", "3"), policy("safe", "content_safety", "1")],
  },
);
const rootTwo = span(2, 60, "invoke_agent desk", { ...agent, ...two, exit_reason: "max_steps" });
const rootThree = span(3, 120, "invoke_agent billing", { ...agent, ...three });
const below = (parent: SpanView) => ({ parentSpanId: parent.spanId });
const READ = { "trustabl.tool.side_effect": "read" };
const SPANS: readonly SpanView[] = [
  rootOne,
  ...[1, 2, 3, 4].map((attempt) =>
    span(
      1,
      attempt,
      "execute_tool search",
      { ...one, ...call("search", attempt - 1, "a", attempt, READ) },
      below(rootOne),
    ),
  ),
  rootTwo,
  span(
    2,
    61,
    "execute_tool pay",
    {
      ...two,
      ...call("pay", 0, "b", 1, {
        "trustabl.tool.side_effect": "irreversible",
        "trustabl.tool.error_class": "timeout",
      }),
    },
    { ...below(rootTwo), status: "error" },
  ),
  span(
    2,
    62,
    "execute_tool lookup",
    { ...two, ...call("lookup", 1, "c", 1, { "trustabl.constraint.decision": "allow" }) },
    below(rootTwo),
  ),
  rootThree,
  span(
    3,
    121,
    "invoke_agent helper",
    { ...agent, run_id: "three", handoff_id: "h1" },
    {
      ...below(rootThree),
      events: [policy("desk-sandbox", "sandbox", "4")],
    },
  ),
  span(3, 122, "invoke_agent helper", { ...agent, run_id: "three", handoff_id: "h2" }, below(rootThree)),
  // No label: in no panel.
  span(4, 5, "chat", { "gen_ai.operation.name": "chat" }),
];

/** What each panel shows. Columns that are times, ids of traces or evidence are looked at apart. */
const SHOWN: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  Runs: [[3]],
  "Tool calls": [[6]],
  "Failed calls": [[1 / 6]],
  "Repeated calls": [[3]],
  "Irreversible calls": [[1]],
  "Runs without a policy": [[1]],
  "How runs ended": [
    ["12:00", "final_answer", 1],
    ["12:01", "max_steps", 1],
  ],
  "Latest runs": [
    ["three", "12:02", "billing", 0, 0, ""],
    ["two", "12:01", "desk", 2, 1, "max_steps"],
    ["one", "12:00", "desk", 4, 4, "final_answer"],
  ],
  Attempts: [
    ["12:00", "attempt 1", 1],
    ["12:00", "attempt 2", 1],
    ["12:00", "attempt 3", 1],
    ["12:00", "attempt 4+", 1],
    ["12:01", "attempt 1", 2],
  ],
  Loops: [["one", "search", "a".repeat(16), 4, 1, "12:00"]],
  Tools: [
    ["search", "read", 4, 3, 0, 4, 250],
    ["lookup", "", 1, 0, 0, 1, 250],
    ["pay", "irreversible", 1, 0, 1, 1, 250],
  ],
  "Error classes": [["12:01", "timeout", 1]],
  "Side effects": [
    ["12:00", "read", 4],
    ["12:01", "irreversible", 1],
    ["12:01", "undeclared", 1],
  ],
  "Policies in force": [
    ["safe", "content_safety", "1", "1".padEnd(12, "0"), 1, "12:00"],
    ["desk-sandbox", "sandbox", "4", "4".padEnd(12, "0"), 1, "12:02"],
    ["desk-sandbox", "sandbox", "3", "3".padEnd(12, "0"), 1, "12:00"],
  ],
  "Delegated agents": [["invoke_agent helper", 2, 1]],
  "Decisions on calls": [["lookup", "allow", 1]],
  "Findings by rule": [
    ["dspm_unbound", "high", 3, 3],
    ["policy_absent", "high", 2, 2],
    ["handoff_unbound", "high", 1, 1],
    ["irreversible_unguarded", "critical", 1, 1],
    ["retry_storm", "high", 1, 1],
    ["tool_loop", "high", 1, 1],
  ],
  "Latest findings": [
    ["12:02", "high", "handoff_unbound", "three", "invoke_agent helper"],
    ["12:02", "high", "dspm_unbound", "three", "invoke_agent billing"],
    ["12:02", "high", "policy_absent", "three", "invoke_agent billing"],
    ["12:01", "critical", "irreversible_unguarded", "two", "execute_tool pay"],
    ["12:01", "high", "dspm_unbound", "two", "invoke_agent desk"],
    ["12:01", "high", "policy_absent", "two", "invoke_agent desk"],
    ["12:00", "high", "retry_storm", "one", "execute_tool search"],
    ["12:00", "high", "tool_loop", "one", "execute_tool search"],
    ["12:00", "high", "dspm_unbound", "one", "invoke_agent desk"],
  ],
};

describe("the Grafana dashboard", () => {
  const clickHouse = new ClickHouse();
  const ask = (sql: string) => clickHouse.rows<Record<string, unknown>>({ sql, parameters: {} });

  beforeAll(() => {
    clickHouse.insert(SPANS);
    // As docs/scale.md says, and filled twice, as rows of runs that went on are.
    const { sql } = findingsRowsSql();
    clickHouse.run(
      `CREATE TABLE trustabl_rows ENGINE = ReplacingMergeTree ORDER BY (run_id, trace_id, span_id) AS SELECT * FROM (${sql}) LIMIT 0`,
    );
    clickHouse.run(`INSERT INTO trustabl_rows ${sql}`);
    clickHouse.run(`INSERT INTO trustabl_rows ${sql}`);
  }, 600_000);
  afterAll(() => clickHouse.close());

  /** Times to the minute; numbers as numbers. */
  const plain = (value: unknown): unknown => {
    if (typeof value !== "string") return value;
    const [, minute] = /^2026-11-30 (\d\d:\d\d):\d\d/.exec(value) ?? [];
    return minute ?? value;
  };

  it("has the panels that are tested here, each with one query", () => {
    expect(panels.map(({ title }) => title).sort()).toEqual(Object.keys(SHOWN).sort());
    for (const { targets } of panels) expect(targets).toHaveLength(1);
  });

  it.each(panels.map(({ title, targets }) => [title, targets?.[0]?.rawSql ?? ""]))(
    "shows in %s what the spans say",
    (title, rawSql) => {
      const sql = expanded(rawSql);
      expect(sql).not.toMatch(/\$/);
      const shown = ask(sql).map(({ trace: _trace, evidence: _evidence, ...row }) =>
        Object.values(row).map(plain),
      );
      expect(shown).toEqual(SHOWN[title]);
    },
  );

  it.each(panels.map(({ title, targets }) => [title, targets?.[0]?.rawSql ?? ""]))(
    "shows in %s nothing of another time, and reads only",
    (_title, rawSql) => {
      const rows = ask(`${expanded(rawSql, [], NOON - 7_200, NOON - 3_600)}`);
      const values = rows.flatMap((row) => Object.values(row).map(Number));
      expect(values.filter((value) => value !== 0)).toEqual([]);
      expect(rawSql).not.toMatch(/\b(?:INSERT|ALTER|DROP|CREATE|DELETE|TRUNCATE|SYSTEM)\b/);
    },
  );

  it("shows the services that are chosen, and offers those that there are", () => {
    const of = (title: string) => panels.find((panel) => panel.title === title)?.targets?.[0]?.rawSql ?? "";
    expect(ask(expanded(of("Runs"), ["billing"]))).toEqual([{ runs: 1 }]);
    expect(ask(expanded(of("Runs"), ["billing", "desk"]))).toEqual([{ runs: 3 }]);
    const query = dashboard.templating.list.at(-1)?.query ?? "";
    expect(ask(expanded(query))).toEqual([{ ServiceName: "billing" }, { ServiceName: "desk" }]);
  });

  it("asks for every rule", () => {
    for (const { title, targets } of panels.filter((panel) => panel.title.includes("indings")))
      for (const rule of RULE_IDS)
        expect([title, targets?.[0]?.rawSql]).toEqual([title, expect.stringContaining(rule)]);
  });
});
