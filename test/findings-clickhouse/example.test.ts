import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { findings, findingsSql, RULE_IDS } from "../../src/findings/index.ts";
import { startOtlpReceiver } from "../../src/otlp-receiver/index.ts";
import { readOtlp, type SpanView } from "../../src/verify/index.ts";
import { ClickHouse, lineOfFinding } from "./clickhouse.ts";

const clickHouse = new ClickHouse();
afterAll(() => clickHouse.close());

/** What `npm start` exports. */
async function exportOfTheExample(): Promise<SpanView[]> {
  const spans: SpanView[] = [];
  const receiver = await startOtlpReceiver({
    port: 0,
    onTraces: (request) => {
      spans.push(...readOtlp(request).spans);
      return undefined;
    },
  });
  try {
    await promisify(execFile)(process.execPath, ["--import", "tsx", "examples/ai-sdk/main.ts"], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url },
    });
  } finally {
    await receiver.close();
  }
  return spans;
}

it("the example's export gives the loop of its empty searches and nothing else, as a stream and as rows", async () => {
  const spans = await exportOfTheExample();
  const report = findings(spans);
  expect(report.findings.map(({ rule }) => rule)).toEqual(["tool_loop"]);
  clickHouse.insert(spans);
  const found = RULE_IDS.flatMap((rule) => clickHouse.findings(findingsSql(rule)));
  expect(found).toEqual(report.findings.map(lineOfFinding));
}, 300_000);
