/** Records a labelled run of the command line for the unit tests, which have no command line: `npm run record`. */
import { writeFileSync } from "node:fs";
import { type HookCallback, query } from "@anthropic-ai/claude-agent-sdk";
import { expect, it } from "vitest";
import { QueryLabels } from "../../../src/adapters/claude-agent-sdk.ts";
import { startOtlpRelay } from "../../../src/otlp-relay/index.ts";
import { hermetic, readAll } from "./agent.ts";
import { Collector } from "./collector.ts";
import { scripted, startModel } from "./fake-model.ts";
import { declared, lookup } from "./scenarios.ts";

const FILE = new URL("../../fixtures/claude-agent-sdk/native-run.json", import.meta.url);

it("records a run", async () => {
  const model = await startModel();
  const collector = await new Collector().start();
  const policy = {
    id: "tool-grants",
    type: "tool_grants",
    sha256: "ab".repeat(32),
    version: "1",
    required: true,
    source: "entrypoint",
  } as const;
  const labels = new QueryLabels({ tools: declared, policies: [policy] });
  const relay = await startOtlpRelay({ endpoint: collector.url, labelsOf: labels.labelsOf });
  const { options, remove } = hermetic(model.url);
  const prompt = scripted([[lookup("b")]]);
  const agent = { description: "look", subagent_type: "general-purpose", run_in_background: false, prompt };
  const script = [
    [lookup("a"), lookup("a")],
    [{ tool: "mcp__demo__broken", input: { q: "a" } }],
    [{ tool: "Bash", input: { command: "true", description: "Nothing" } }],
    [{ tool: "Agent", input: agent }],
  ];
  const deny: HookCallback = async (input) =>
    "tool_name" in input && input.tool_name === "Bash"
      ? { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" } }
      : {};
  const hooks = { PreToolUse: [{ hooks: [deny] }] };
  await readAll(labels.wrap(query, relay)({ prompt: scripted(script), options: { ...options(), hooks } }));
  await relay.close();
  collector.close();
  model.close();
  remove();
  expect(collector.report.verdict).toBe("pass");
  const text = JSON.stringify({ resourceSpans: collector.exports.flatMap(resourceSpans).map(cleaned) });
  expect(text).not.toMatch(/\/(home|root|tmp|Users|work)\/|localhost|127\.0\.0\.1/);
  writeFileSync(FILE, `${text}\n`);
});

const resourceSpans = (one: object) => (one as { resourceSpans: object[] }).resourceSpans;

// Names of this machine and its user, and what no test looks at.
const DROPPED: readonly unknown[] = ["user.id", "os.version", "host.arch", "terminal.type", "request_id"];

function cleaned(value: object): object {
  return JSON.parse(JSON.stringify(value), (_name, part: unknown) =>
    Array.isArray(part)
      ? part.filter((one) => !DROPPED.includes((one as { key?: unknown } | null)?.key))
      : part,
  );
}
