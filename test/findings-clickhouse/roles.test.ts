import { readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { CONVENTIONS, recogniseSpan } from "../../src/attributes/conventions.ts";
import { findingsRowsSql } from "../../src/findings/index.ts";
import { ROLE_SQL } from "../../src/findings/sql/roles.ts";
import { capturedOf } from "../../src/verify/evidence/captured.ts";
import { showsNoRun } from "../../src/verify/evidence/not-run.ts";
import { readOtlp, type SpanView } from "../../src/verify/index.ts";
import { ClickHouse } from "./clickhouse.ts";

const folder = new URL("../fixtures/otlp/", import.meta.url);

/** Every span of every recorded export, under a trace of its own file. */
const recorded: SpanView[] = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .flatMap((name) => [...readOtlp(readFileSync(new URL(name, folder), "utf8")).spans]);

/** Spans for what no recorded export shows. */
const invented: SpanView[] = [
  { "openinference.span.kind": "TOOL" },
  { "openinference.span.kind": "CHAIN", metadata: '{"ls_integration":"langgraph"}' },
  { "openinference.span.kind": "CHAIN", metadata: '{"lc_agent_name":"desk"}' },
  { "openinference.span.kind": "CHAIN", metadata: '{"lc_agent_name":"other","ls_integration":"langgraph"}' },
  { "openinference.span.kind": "CHAIN", metadata: "{broken" },
  { "traceloop.span.kind": "workflow" },
  { "langfuse.observation.type": "agent" },
  { "lmnr.span.type": "TOOL" },
  { "mastra.span.type": "provider_tool_call" },
  { "entity.type": "agent", "span.type": "tool", "tool.name": "delegate_task" },
  { "entity.type": "agent" },
  { "genkit:isRoot": true },
  { "genkit:metadata:subtype": "tool", "genkit:name": "search" },
  { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.type": "extension" },
  { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "strands_structured_output" },
  { "gen_ai.operation.name": "invoke_graph" },
  { "gen_ai.operation.name": "chat" },
  {},
].flatMap((attributes, index) =>
  [
    "desk",
    "mcp_tools",
    "handoff to b",
    "LangGraph",
    "agents.handoff",
    "tool: 'x' on 'y'",
    "execute_tool x",
    "execute_tool (merged tools)",
    "invoke_agent",
    "claude_code.tool",
    "ai.toolCall",
  ].map(
    (name, at): SpanView => ({
      traceId: `cc${String(index).padStart(30, "0")}`,
      spanId: String(at).padStart(16, "0"),
      name,
      scope: "test",
      start: 1_764_500_000_000_000_000n,
      end: 1_764_500_000_000_000_000n,
      status: "unset",
      attributes,
      events: [],
      droppedAttributes: 0,
      droppedEvents: 0,
    }),
  ),
);

interface Recognised {
  readonly trace_id: string;
  readonly span_id: string;
  readonly role: string;
  readonly convention: string;
  readonly tool: string;
  readonly call_id: string;
  readonly seems_not_run: boolean | number;
}

const key = (traceId: string, spanId: string) => `${traceId} ${spanId}`;

describe("the conventions in SQL", () => {
  const clickHouse = new ClickHouse();
  afterAll(() => clickHouse.close());

  it("are those of the table, each by its name", () => {
    expect(Object.keys(ROLE_SQL)).toEqual(CONVENTIONS.map(({ id }) => id));
  });

  it("recognise every recorded span as the table does", () => {
    const spans = [
      ...new Map([...recorded, ...invented].map((span) => [key(span.traceId, span.spanId), span])).values(),
    ];
    expect(spans.length).toBeGreaterThan(300);
    clickHouse.insert(spans);
    const { sql } = findingsRowsSql({ literal: true });
    const found = clickHouse.rows<Recognised>({
      sql: sql.replace(
        "SELECT * FROM rows",
        "SELECT trace_id, span_id, role, convention, tool, call_id, seems_not_run FROM spans",
      ),
      parameters: {},
    });
    const shown = new Map(
      found.map((row) => [
        key(row.trace_id, row.span_id),
        [row.convention, row.role, row.tool, row.call_id, Boolean(Number(row.seems_not_run))],
      ]),
    );
    for (const span of spans) {
      const known = recogniseSpan(span);
      const isCall = known !== undefined && known.role !== "agent";
      const result = isCall
        ? capturedOf(span.attributes, known.convention, span.scope, "result")?.content
        : undefined;
      const [convention, role, tool, callId, notRun] = shown.get(key(span.traceId, span.spanId)) ?? [];
      expect([span.name, convention, role]).toEqual([
        span.name,
        known?.convention.id ?? "",
        known?.role ?? "",
      ]);
      if (!isCall) continue;
      expect([span.name, tool, callId]).toEqual([span.name, known.toolName ?? "", known.callId ?? ""]);
      expect([span.name, notRun]).toEqual([span.name, showsNoRun(span, known.convention, result)]);
    }
  });
});
