/** The shared registry of contracts on MCP servers of both SDKs. */
import { SpanKind } from "@opentelemetry/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { labelServer } from "../../../src/adapters/mcp.ts";
import { type ContractToolOptions, defineTools, tool } from "../../../src/contracts/index.ts";
import { canonicalFp } from "../../../src/index.ts";
import { BAD_CALLS, triageTools } from "../contracts.ts";
import type { AnyServer } from "./sdks.ts";
import { expectNoOtherLabels, expectPass, inRun, inSpan, labelsOf, takeSpans } from "./tracing.ts";
import { type Connection, WAYS, type Way } from "./triage-servers.ts";

beforeEach(() => void takeSpans());
const open: Connection[] = [];
afterEach(async () => {
  for (const connection of open.splice(0)) await connection.close();
});

/** A server whose own spans stand around its handlers, as server-side instrumentations make them. */
const traced = (server: AnyServer): AnyServer => {
  const register = server.registerTool.bind(server);
  server.registerTool = (name: string, config: object, handler: (...parameters: unknown[]) => unknown) =>
    register(name, config, (...parameters: unknown[]) =>
      inSpan(
        `tools/call ${name}`,
        { "mcp.method.name": "tools/call", "gen_ai.tool.name": name },
        async () => handler(...parameters),
        SpanKind.SERVER,
      ),
    );
  return labelServer(server);
};

type Options = ContractToolOptions<unknown, unknown[], unknown>;

async function triage(way: Way, options: Options = {}) {
  const effects: unknown[] = [];
  const connection = await way.connect(
    (server) => {
      const labelled = traced(server);
      for (const contract of Object.values(triageTools)) {
        const handler = tool(
          contract as typeof triageTools.read_log,
          async (args, ..._rest: unknown[]) => {
            effects.push(args);
            return { content: [{ type: "text", text: "done" }] };
          },
          options as object,
        );
        const { name, description } = contract;
        labelled.registerTool(name, { description, inputSchema: way.schemaOf(contract) }, handler);
      }
    },
    () => ({ action: "decline" }),
  );
  open.push(connection);
  const call = async (name: string, args: object) => {
    const told = await inRun(() => connection.call(name, args));
    const spans = takeSpans();
    const own = spans.filter((span) => span.name === `tools/call ${name}`);
    expectNoOtherLabels(spans, own);
    return { told, spans, labels: own.map(labelsOf) };
  };
  return { effects, connection, call };
}

describe.each(WAYS)("a registry of contracts on an MCP server: $name", (way) => {
  /** SDK 1 is shown the schema only; SDK 2 takes the contract as it is, and refuses by it before the handler. */
  const refusesItself = way.name !== "SDK 1";

  it("is what the client shows the model", async () => {
    const { connection } = await triage(way);
    const shown = (await connection.list()).map(({ name, description, inputSchema }) => {
      const { $schema: _, ...schema } = inputSchema as Record<string, unknown>;
      return [name, description, schema];
    });
    expect(shown).toEqual(
      Object.values(triageTools).map((contract) => [
        contract.name,
        contract.description,
        contract.jsonSchema("mcp"),
      ]),
    );
  });

  it.each(BAD_CALLS)("does not run a call %s, and says what was wrong", async (_, name, args, what) => {
    const { call, effects } = await triage(way, { confirmed: () => true });
    const { told, labels } = await call(name, args);
    expect(told.isError).toBe(true);
    expect(effects).toEqual([]);
    if (refusesItself) {
      expect(told.text).toMatch(new RegExp(`^Input validation error: Invalid arguments for tool ${name}: `));
      expect(told.text).toContain(what.replace(/^.*?: /, ""));
      // The SDK has no span for that, and nothing is labelled.
      expect(labels).toEqual([]);
    } else {
      expect(told.text).toBe(`Refused, nothing was run. ${what}`);
      expect(labels).toMatchObject([
        { "trustabl.tool.error_class": "schema", "trustabl.tool.input_fp": canonicalFp(args) },
      ]);
    }
  });

  it("runs what it allows, labelled by the contract, counted once", async () => {
    const { call, effects } = await triage(way);
    const args = { issue_id: "7", text: "seen" };
    const { told, labels, spans } = await call("add_comment", args);
    expect(told).toEqual({ text: "done", isError: false });
    expect(effects).toEqual([args]);
    expect(labels).toMatchObject([
      { "trustabl.tool.side_effect": "write", "trustabl.tool.input_fp": canonicalFp(args) },
    ]);
    // Over HTTP the server knows no run.
    if (way.name !== "SDK 2") {
      expect(labels).toMatchObject([{ "trustabl.tool.attempt": 1, "trustabl.step_index": 0 }]);
      expectPass(spans);
    }
  });

  it("has no fingerprint on the span of a tool whose contract says that it is sensitive", async () => {
    const { reset_pin } = defineTools({
      reset_pin: {
        description: "Set the PIN of one card.",
        input: {
          type: "object",
          additionalProperties: false,
          required: ["pin"],
          properties: { pin: { type: "string", pattern: "^[0-9]{4}$", maxLength: 4 } },
        },
        sensitive: true,
      },
    });
    const handler = tool(reset_pin, async ({ pin }) => ({ content: [{ type: "text", text: pin }] }));
    const connection = await way.connect(
      (server) => traced(server).registerTool("reset_pin", { inputSchema: way.schemaOf(reset_pin) }, handler),
      () => ({ action: "decline" }),
    );
    open.push(connection);
    expect(await inRun(() => connection.call("reset_pin", { pin: "1234" }))).toMatchObject({ text: "1234" });
    const [span] = takeSpans().filter(({ name }) => name === "tools/call reset_pin");
    expect(span).toBeDefined();
    expect(labelsOf(span)).not.toHaveProperty(["trustabl.tool.input_fp"]);
    expect(labelsOf(span)).not.toHaveProperty(["trustabl.tool.output_fp"]);
  });

  it("runs what has to be confirmed only when it was, outside the model", async () => {
    const unconfirmed = await triage(way);
    const { told, labels } = await unconfirmed.call("rerun_job", { job_id: "7" });
    expect(told).toEqual({ text: expect.stringMatching(/^Refused, nothing was run\./), isError: true });
    expect(labels).toMatchObject([{ "trustabl.tool.error_class": "schema" }]);
    expect(unconfirmed.effects).toEqual([]);
    const confirmed = await triage(way, { confirmed: () => true });
    await confirmed.call("rerun_job", { job_id: "7" });
    expect(confirmed.effects).toEqual([{ job_id: "7" }]);
  });
});
