/** An embedded ClickHouse with the table of the OpenTelemetry Collector's exporter. */
import { readFileSync } from "node:fs";
import { Session } from "chdb";
import type { FindingsQuery, RuleFinding } from "../../src/findings/index.ts";
import type { AttributeBag, SpanView } from "../../src/verify/index.ts";

const TABLE = readFileSync(new URL("otel-traces.sql", import.meta.url), "utf8");
const ROWS_OF_ONE_INSERT = 20_000;

// One process has one: each ClickHouse below is a database of it.
const session = new Session();
process.once("exit", () => session.cleanup());
let databases = 0;

export class ClickHouse {
  readonly #database: string;

  constructor() {
    databases += 1;
    this.#database = `traces_${databases}`;
    session.query(`CREATE DATABASE ${this.#database}`);
    this.run(TABLE);
  }

  insert(spans: readonly SpanView[]): void {
    for (let at = 0; at < spans.length; at += ROWS_OF_ONE_INSERT) {
      const lines = spans.slice(at, at + ROWS_OF_ONE_INSERT).map((span) => JSON.stringify(rowOf(span)));
      this.run(`INSERT INTO otel_traces FORMAT JSONEachRow ${lines.join("\n")}`);
    }
  }

  run(sql: string): string {
    session.query(`USE ${this.#database}`);
    return session.query(sql, "JSONEachRow");
  }

  /** The answer as it is; throws ClickHouse's own error. */
  answer({ sql, parameters }: FindingsQuery): string {
    session.query(`USE ${this.#database}`);
    return session.queryBind(sql, parameters, "JSONEachRow");
  }

  rows<Row>(query: FindingsQuery): Row[] {
    return this.answer(query)
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Row);
  }

  findings(query: FindingsQuery): string[] {
    return this.rows<SqlFinding>(query)
      .map(({ rule, run_id, trace_id, span_id, evidence }) =>
        lineOf([rule, run_id, trace_id, span_id], evidence),
      )
      .sort();
  }

  close(): void {
    session.query(`DROP DATABASE ${this.#database}`);
  }
}

interface SqlFinding {
  readonly rule: string;
  readonly run_id: string;
  readonly trace_id: string;
  readonly span_id: string;
  readonly evidence: Readonly<Record<string, string>>;
}

/** A finding of the streaming evaluator as the same line. */
export const lineOfFinding = ({ rule, runId = "", span, evidence }: RuleFinding): string =>
  lineOf([rule, runId, span.traceId, span.spanId], evidence);

function lineOf(place: readonly string[], evidence: Readonly<Record<string, string | number>>): string {
  const values = Object.entries(evidence)
    .map(([name, value]) => `${name}=${value}`)
    .sort();
  return `${place.join(" ")} ${values.join(" ")}`;
}

// As the exporter writes it: every value as text, times in nanoseconds, the status as a word.
function rowOf(span: SpanView): Record<string, unknown> {
  const start = span.start ?? 0n;
  const status = { ok: "Ok", error: "Error", unset: "Unset" }[span.status];
  return {
    Timestamp: `${start / 1_000_000_000n}.${String(start % 1_000_000_000n).padStart(9, "0")}`,
    TraceId: span.traceId,
    SpanId: span.spanId,
    ParentSpanId: span.parentSpanId ?? "",
    SpanName: span.name,
    SpanKind: "Internal",
    ServiceName: String(span.resource?.["service.name"] ?? ""),
    ResourceAttributes: textsOf(span.resource ?? {}),
    ScopeName: span.scope ?? "",
    SpanAttributes: textsOf(span.attributes),
    Duration: String((span.end ?? start) - start),
    StatusCode: status,
    StatusMessage: span.statusMessage ?? "",
    "Events.Timestamp": span.events.map(() => "1700000000.000000000"),
    "Events.Name": span.events.map(({ name }) => name),
    "Events.Attributes": span.events.map(({ attributes }) => textsOf(attributes)),
  };
}

const textsOf = (bag: AttributeBag): Record<string, string> =>
  Object.fromEntries(
    Object.entries(bag)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, typeof value === "object" ? JSON.stringify(value) : String(value)]),
  );
