/** The command line's own spans, labelled by the relay on their way. */
import { query, type SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { afterAll, describe, expect, it } from "vitest";
import { QueryLabels } from "../../../src/adapters/claude-agent-sdk.ts";
import { canonicalFp } from "../../../src/index.ts";
import { startOtlpRelay } from "../../../src/otlp-relay/index.ts";
import { scenario } from "../../frameworks/scenario.ts";
import { hermetic, readAll, started } from "./agent.ts";
import { Collector } from "./collector.ts";
import { scripted, startModel } from "./fake-model.ts";
import { declared, describeScenarios, lookup } from "./scenarios.ts";
import { agentSpans, check, labelsOf, startTracing, takeSpans, toolSpans } from "./tracing.ts";

const row = "Claude Agent SDK 0.3, native spans";
startTracing();
const model = await startModel();
const collector = await new Collector().start();
const labels = new QueryLabels({ tools: declared });
const relay = await startOtlpRelay({ endpoint: collector.url, labelsOf: labels.labelsOf });
const labelled = labels.wrap(query, relay);
const { options, remove } = hermetic(model.url);

afterAll(async () => {
  await relay.close();
  collector.close();
  model.close();
  remove();
});

const allSpans = async () => {
  await relay.forceFlush();
  const spans = [...takeSpans(), ...collector.spans];
  collector.clear();
  return spans;
};

describeScenarios({
  row,
  query: labelled,
  options,
  takeSpans: allSpans,
  agentSpan: "claude_code.interaction",
});

describe("Native spans", () => {
  it("are neither asked for nor labelled without a relay", scenario(row, "telemetry-off"), async () => {
    await allSpans();
    const messages = await readAll(
      new QueryLabels().wrap(query)({ prompt: scripted([[lookup("a")]]), options: options() }),
    );
    expect(messages.at(-1)?.type).toBe("result");
    expect(await allSpans()).toEqual([]);
  });

  it("are labelled with the input that ran, where a hook rewrote it", async () => {
    await readAll(
      labelled({
        prompt: scripted([[lookup("a", { secret: "s" })], [lookup("a", { secret: "s" })]]),
        options: {
          ...options(),
          hooks: {
            PreToolUse: [
              {
                hooks: [
                  async () => ({
                    hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { q: "a" } },
                  }),
                ],
              },
            ],
          },
        },
      }),
    );
    const spans = await allSpans();
    const tools = check(spans, 2, agentSpans(spans));
    expect(tools.map((span) => span.attributes["trustabl.tool.input_fp"])).toEqual(
      Array(2).fill(canonicalFp({ q: "a" })),
    );
    expect(tools.map((span) => span.attributes["trustabl.tool.attempt"])).toEqual([1, 2]);
  });

  it("are labelled turn by turn where a query takes several prompts", async () => {
    let answered = () => {};
    async function* prompts() {
      for (const q of ["a", "b"]) {
        const content = [{ type: "text" as const, text: scripted([[lookup(q)], [lookup("a")]]) }];
        yield {
          type: "user" as const,
          message: { role: "user" as const, content },
          parent_tool_use_id: null,
        };
        await new Promise<void>((done) => {
          answered = done;
        });
      }
    }
    for await (const message of labelled({
      prompt: prompts(),
      options: options(),
    }) as AsyncIterable<SDKMessage>) {
      if (message.type === "result") answered();
    }
    const spans = await allSpans();
    const roots = agentSpans(spans);
    expect(roots.map((span) => labelsOf(span)["trustabl.exit_reason"])).toEqual([
      "final_answer",
      "final_answer",
    ]);
    expect(new Set(roots.map((span) => labelsOf(span)["trustabl.run_id"])).size).toBe(1);
    expect(check(spans, 4, roots).map((span) => span.attributes["trustabl.tool.attempt"])).toEqual([
      1, 2, 1, 3,
    ]);
  });

  it("carry the policies of a query on its root, once", async () => {
    const policies = [
      {
        id: "tools",
        type: "tool_grants",
        sha256: "ab".repeat(32),
        version: "1",
        required: true,
        source: "entrypoint",
      },
    ] as const;
    const bound = new QueryLabels({ policies });
    const own = await startOtlpRelay({ endpoint: collector.url, labelsOf: bound.labelsOf });
    await readAll(bound.wrap(query, own)({ prompt: scripted([[lookup("a")]]), options: options() }));
    await own.close();
    const spans = await allSpans();
    const roots = agentSpans(spans);
    check(spans, 1, roots);
    expect(roots.flatMap(({ events }) => events.map(({ name }) => name))).toEqual([
      "trustabl.policy.binding",
    ]);
    const failed = { verified: [], failed: [{ id: "tools", required: true, code: "bad_signature" }] };
    const refused = new QueryLabels({ policies: failed }).wrap(query, own);
    expect(() => refused({ prompt: "x", options: options() })).toThrow(/required policy "tools"/);
  });

  it("arrive, labelled, after the endpoint was down for a while", async () => {
    collector.isDown = true;
    await readAll(labelled({ prompt: scripted([[lookup("a")], [lookup("a")]]), options: options() }));
    await expect.poll(() => collector.refusals, { timeout: 20_000 }).toBeGreaterThan(0);
    collector.isDown = false;
    const spans = await allSpans();
    check(spans, 2, agentSpans(spans));
  });

  it("leave the query as it is: its methods, and an interrupt", async () => {
    const asked = labelled({ prompt: scripted([[lookup("a", { delay: 60_000 })]]), options: options() });
    expect(asked.setModel).toBeTypeOf("function");
    started.once("lookup", () => void asked.interrupt());
    // The SDK throws when a query was interrupted.
    await readAll(asked).catch(() => undefined);
    const spans = await allSpans();
    expect(toolSpans(spans).map((span) => labelsOf(span)["trustabl.tool.output_fp"])).toEqual([
      canonicalFp(null),
    ]);
    expect(agentSpans(spans).map((span) => labelsOf(span)["trustabl.exit_reason"])).toEqual(["error"]);
  });
});
