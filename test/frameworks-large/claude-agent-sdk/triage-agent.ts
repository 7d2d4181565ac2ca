/** The triage agent on the real SDK, its in-process tools behind their contracts, and what became of its calls. */
import { createSdkMcpServer, type Options, query } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";
import { QueryLabels, ToolGuard } from "../../../src/adapters/claude-agent-sdk.ts";
import { startOtlpRelay } from "../../../src/otlp-relay/index.ts";
import type { SpanView } from "../../../src/verify/index.ts";
import { triageTools } from "../../frameworks/contracts.ts";
import { triageDesk } from "../../frameworks/triage-desk.ts";
import { hermetic, readAll } from "./agent.ts";
import { Collector } from "./collector.ts";
import { type ModelRequest, type Script, scripted, startModel, toldIn } from "./fake-model.ts";

type TriageTools = typeof triageTools;
type Show = ConstructorParameters<typeof ToolGuard<TriageTools>>[0]["show"];

const show: Show = (schema) => z.looseObject({}).meta(schema);
const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });

/** The tools behind their contracts only. */
export const contractGuard = () => new ToolGuard({ server: "triage", contracts: triageTools, show });
/** The same, behind the mediation step. */
export const claimGuard = ({ mediated } = triageDesk()) =>
  new ToolGuard({ server: "triage", contracts: triageTools, mediated, show });

export const call = (tool: string, input: object) => ({
  tool: `mcp__triage__${tool}`,
  input: input as Record<string, unknown>,
});

/** What a query came to. */
export interface Outcome {
  /** What the model was told of each call, in order. */
  readonly told: readonly string[];
  /** What the model was shown, by the tool's name. */
  readonly shown: Readonly<Record<string, object>>;
  readonly spans: readonly SpanView[];
}

/** Where queries run; a file makes one. */
export async function triageAgent() {
  const model = await startModel();
  const collector = await new Collector().start();
  const { options, remove } = hermetic(model.url);
  let labels = new QueryLabels();
  const relay = await startOtlpRelay({
    endpoint: collector.url,
    labelsOf: (span, last) => labels.labelsOf(span, last),
  });

  /** One query. `work` is what every tool does. */
  async function ask(
    guard: Pick<ToolGuard<TriageTools>, "labels" | "options" | "tool">,
    work: (args: object) => Promise<string>,
    script: Script,
    more: Partial<Options> = {},
    confirmed: () => boolean = () => true,
  ): Promise<Outcome> {
    labels = new QueryLabels({ tools: guard.labels });
    model.requests.length = 0;
    collector.clear();
    const execute = async (args: object) => text(await work(args));
    const tools = (Object.keys(triageTools) as (keyof TriageTools & string)[]).map((name) =>
      guard.tool(name, execute, { confirmed }),
    );
    const triage = createSdkMcpServer({ name: "triage", tools, alwaysLoad: true });
    const own = options();
    // A container's tests may run as root, who may not bypass permissions outside a sandbox.
    const env = { ...own.env, IS_SANDBOX: "1" };
    const given = { ...own, env, mcpServers: { triage }, allowedTools: ["mcp__triage"], ...more };
    await readAll(labels.wrap(query, relay)({ prompt: scripted(script), options: guard.options(given) }));
    await relay.forceFlush();
    const requests = model.requests.filter(({ tools = [] }) => tools.length > 0);
    return {
      told: toldIn(requests.at(-1) as ModelRequest),
      shown: Object.fromEntries(
        requests.flatMap((request) => request.tools ?? []).map((tool) => [tool.name, tool.input_schema]),
      ),
      spans: collector.spans,
    };
  }

  const close = async () => {
    await relay.close();
    collector.close();
    model.close();
    remove();
  };
  return { ask, close };
}
