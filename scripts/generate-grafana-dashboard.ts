/** Writes the Grafana dashboard for the table of the Collector's ClickHouse exporter: `--check` compares. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Panel } from "./grafana/panel.ts";
import { ROWS } from "./grafana/rows.ts";
import { writeOrCheck } from "./write-or-check.ts";

const PLUGIN = "grafana-clickhouse-datasource";
const DATASOURCE = { type: PLUGIN, uid: "$datasource" };
const COLUMNS = 24;
// What the plugin calls the two forms of an answer.
const TIME_SERIES = 0;
const TABLE = 1;
/** Anything that is not zero: counts begin at 1, shares far below. */
const SMALLEST_SHARE = 0.0001;

let id = 0;
let y = 0;
const panels: unknown[] = [];
for (const row of ROWS) {
  panels.push({
    id: nextId(),
    type: "row",
    title: row.title,
    collapsed: false,
    gridPos: { x: 0, y, w: COLUMNS, h: 1 },
    panels: [],
  });
  y += 1;
  let x = 0;
  let height = 0;
  for (const panel of row.panels) {
    if (x + panel.width > COLUMNS) {
      x = 0;
      y += height;
      height = 0;
    }
    panels.push(panelOf(panel, x, y));
    x += panel.width;
    height = Math.max(height, panel.height);
  }
  y += height;
}

function nextId(): number {
  id += 1;
  return id;
}

function panelOf({ title, description, kind, width, height, sql, unit, bad }: Panel, x: number, top: number) {
  const isSeries = kind === "timeseries";
  return {
    id: nextId(),
    type: kind,
    title,
    description,
    datasource: DATASOURCE,
    gridPos: { x, y: top, w: width, h: height },
    targets: [
      {
        refId: "A",
        datasource: DATASOURCE,
        editorType: "sql",
        queryType: isSeries ? "timeseries" : "table",
        format: isSeries ? TIME_SERIES : TABLE,
        rawSql: sql,
      },
    ],
    fieldConfig: {
      defaults: {
        ...(unit === undefined ? {} : { unit }),
        ...(isSeries ? { custom: { drawStyle: "bars", fillOpacity: 60, stacking: { mode: "normal" } } } : {}),
        ...(bad === undefined
          ? {}
          : {
              thresholds: {
                mode: "absolute",
                steps: [
                  { color: "green", value: null },
                  { color: bad, value: SMALLEST_SHARE },
                ],
              },
            }),
      },
      overrides: [],
    },
    options: kind === "stat" ? { colorMode: "value", reduceOptions: { calcs: ["lastNotNull"] } } : {},
  };
}

const textbox = (name: string, text: string, what: string) => ({
  name,
  label: what,
  type: "textbox",
  query: text,
  current: { text, value: text },
});

const dashboard = {
  title: "Agent reliability",
  description:
    "Runs, loops, retries, side effects, exits, policies and findings, from the trustabl.* labels.",
  uid: "agent-reliability-labels",
  tags: ["agents", "opentelemetry", "trustabl"],
  schemaVersion: 39,
  version: 1,
  editable: true,
  time: { from: "now-24h", to: "now" },
  refresh: "",
  templating: {
    list: [
      { name: "datasource", label: "ClickHouse", type: "datasource", query: PLUGIN },
      textbox("table", "otel_traces", "Table of spans"),
      textbox("rows", "trustabl_rows", "Table of kept rows"),
      {
        name: "service",
        label: "Service",
        type: "query",
        datasource: DATASOURCE,
        query: "SELECT DISTINCT ServiceName FROM $table WHERE $__timeFilter(Timestamp) ORDER BY ServiceName",
        refresh: 2,
        multi: true,
        includeAll: true,
        current: { text: ["All"], value: ["$__all"] },
      },
    ],
  },
  panels,
};

// As the formatter of the repository has it.
const biome = fileURLToPath(new URL("../node_modules/@biomejs/biome/bin/biome", import.meta.url));
const text = execFileSync(process.execPath, [biome, "format", "--stdin-file-path=dashboard.json"], {
  input: JSON.stringify(dashboard),
  encoding: "utf8",
});
writeOrCheck("docs/grafana/agent-reliability.json", text);
