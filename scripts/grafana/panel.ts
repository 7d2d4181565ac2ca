/** A panel as data: what it answers, its query, and how it is drawn. */
import { findingsSql, RULE_IDS } from "../../src/findings/index.ts";

export interface Panel {
  readonly title: string;
  readonly description: string;
  readonly kind: "stat" | "timeseries" | "table" | "barchart";
  /** Of 24 columns. */
  readonly width: number;
  readonly height: number;
  readonly sql: string;
  readonly unit?: string;
  /** The colour of a stat that is above zero. */
  readonly bad?: "red" | "orange";
}

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

export const label = (name: string): string => `SpanAttributes['trustabl.${name}']`;

// biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana fills it in
const SERVICES = "${service:singlequote}";

/** Spans of the time and the services that the dashboard shows. */
export const spans = (...conditions: readonly string[]): string =>
  [
    "FROM $table",
    "WHERE $__timeFilter(Timestamp)",
    `  AND $__conditionalAll(ServiceName IN (${SERVICES}), $service)`,
    ...conditions.map((one) => `  AND ${one}`),
  ].join("\n");

export const BUCKET = "$__timeInterval(Timestamp) AS time";
export const TOOL =
  "if(SpanAttributes['gen_ai.tool.name'] != '', SpanAttributes['gen_ai.tool.name'], SpanName)";
/** One labelled span for each call. */
export const IS_CALL = `${label("tool.attempt")} != ''`;

/** Every rule on the kept rows, for the time that is shown. */
export const findings = (columns: string, rest: string): string => `SELECT ${columns}
FROM (
${RULE_IDS.map((rule) => {
  const { sql } = findingsSql(rule, { table: "otel_traces", rows: "trustabl_rows" });
  const query = sql
    .split("\n")
    .filter((line) => !line.startsWith("--") && !line.startsWith("ORDER BY") && line !== "")
    .join("\n");
  // The names are variables of the dashboard.
  return query.replaceAll("`otel_traces`", "$$table").replaceAll("`trustabl_rows`", "$$rows");
}).join("\nUNION ALL\n")}
)
WHERE $__timeFilter(time)
${rest}
SETTINGS final = 1`;
