/**
 * One query of the Claude Agent SDK with the command line's own spans: they are labelled by a relay on their way to the
 * collector. No network: the model is a script. Run it with `npm start`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { QueryLabels } from "agent-reliability-otel-labels/claude-agent-sdk";
import { startOtlpRelay } from "agent-reliability-otel-labels/otlp-relay";
import { readOtlp, verify } from "agent-reliability-otel-labels/verify";
import { z } from "zod";
import { startCollector, startModel } from "./scripted-model.ts";

const search = { name: "mcp__travel__search_flights", input: { to: "JFK" } };
const book = { name: "mcp__travel__book_flight", input: { flight: "BA117" } };
const model = await startModel([
  [search],
  [search],
  [book],
  [{ name: "Bash", input: { command: "touch booked" } }],
]);
const collector = await startCollector();
const home = mkdtempSync(join(tmpdir(), "agent-"));

// The tools, in this process. What they can do is said once, below: it holds for tools of other servers just so.
const travel = createSdkMcpServer({
  name: "travel",
  tools: [
    tool("search_flights", "Searches flights.", { to: z.string() }, async ({ to }) => ({
      content: [{ type: "text", text: `BA117 to ${to}` }],
    })),
    tool("book_flight", "Books a flight.", { flight: z.string() }, async ({ flight }) => ({
      content: [{ type: "text", text: `${flight} is booked` }],
    })),
  ],
});

// #region labels
const labels = new QueryLabels({
  tools: {
    mcp__travel__search_flights: { sideEffect: "read" },
    mcp__travel__book_flight: { sideEffect: "irreversible" },
    Bash: { sideEffect: "write" },
  },
});
const relay = await startOtlpRelay({ endpoint: collector.url, labelsOf: labels.labelsOf });
const labelledQuery = labels.wrap(query, relay);
// #endregion

const messages = labelledQuery({
  prompt: "Book me a flight to New York",
  options: {
    model: "claude-sonnet-4-5",
    mcpServers: { travel },
    allowedTools: ["mcp__travel"],
    // Everything else is asked for, and refused here.
    canUseTool: async () => ({ behavior: "deny", message: "not on this machine" }),
    settingSources: [],
    persistSession: false,
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      CLAUDE_CONFIG_DIR: home,
      CLAUDE_CODE_TMPDIR: home,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    },
  },
});
for await (const message of messages) {
  if (message.type === "result") console.log(`result: ${message.subtype}\n`);
}
await relay.close();

const spans = collector.exports.flatMap((one) => readOtlp(one).spans);
const isTool = ({ name }: { name: string }) => name === "claude_code.tool";
const labelsOf = ({ attributes }: { attributes: object }) =>
  Object.entries(attributes).filter(([name]) => name.startsWith("trustabl."));
const report = verify(spans);

for (const span of spans.filter((one) => labelsOf(one).length > 0)) {
  console.log(span.name, span.attributes.tool_name ?? "");
  for (const [name, value] of labelsOf(span)) console.log(`  ${name.padEnd(28)} ${value}`);
}
console.log(`\n${report.verdict}: ${report.examined.toolSpans} tool calls`);

const attempts = spans.filter(isTool).map(({ attributes }) => attributes["trustabl.tool.attempt"]);
const right = report.verdict === "pass" && attempts.join() === "1,2,1,1";
collector.close();
model.close();
rmSync(home, { recursive: true, force: true, maxRetries: 3 });
process.exit(right ? 0 : 1);
