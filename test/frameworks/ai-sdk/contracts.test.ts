import { describe, expect, it } from "vitest";
import { tool } from "../../../src/contracts/index.ts";
import { canonicalFp } from "../../../src/index.ts";
import { useContextManager } from "../../support/tracing.ts";
import { badCalls, issue } from "../bad-calls.ts";
import { triageTools } from "../contracts.ts";
import { type Any, type Mode, modes, runAgent } from "./agent.ts";
import { toldIn } from "./mediated-chat.ts";
import { Application } from "./request.ts";
import { type Call, call, scriptedModel } from "./scripted-model.ts";
import { sdk5, sdk6, sdk7 } from "./sdk-versions.ts";

useContextManager();

/** What the SDK is given as a tool's input. */
type Input = (contract: Any, mode: Mode) => Any;

interface Desk {
  readonly done: object[];
  readonly confirmed?: () => boolean;
  readonly input: Input;
}

const shownOnly: Input = (contract, { version }) => version.sdk.jsonSchema(contract.jsonSchema("ai-sdk"));
const asItIs: Input = (contract) => contract;

/** One turn of an agent that has the whole registry. */
async function turn(mode: Mode, desk: Desk, calls: readonly Call[]) {
  const application = new Application();
  const version = { ...mode.version, label: (tools: Any) => tools };
  const model = scriptedModel(version, [calls, "done"]) as Any;
  const tools = Object.fromEntries(
    Object.values<Any>(triageTools).map((contract) => [
      contract.name,
      version.sdk.tool({
        description: contract.description,
        inputSchema: desk.input(contract, mode),
        execute: tool(
          contract,
          async (args: Any) => {
            desk.done.push(args);
            return "done";
          },
          { confirmed: desk.confirmed },
        ),
      }),
    ]),
  );
  const { streaming } = mode;
  const quiet = streaming ? { onError: () => {} } : {};
  await application.request(() =>
    runAgent(version, application, { script: [], tools, streaming, model, ...quiet }),
  );
  const requests = [...model.doGenerateCalls, ...model.doStreamCalls];
  return { application, shown: requests[0].tools as Any[], told: toldIn(requests.at(-1).prompt) };
}

const versions = modes.filter(({ version }) => [sdk5, sdk6, sdk7].includes(version));

// AI SDK 5 knows no Standard Schema but zod's.
const takesContracts = ({ version }: Mode) => version.major > 5;

describe.each(versions)("contracts with $title", (mode) => {
  const prefix = mode.version.major === 7 ? "ContractViolationError: " : "";

  const inputs = takesContracts(mode)
    ? { "shown only": shownOnly, "as it is": asItIs }
    : { "shown only": shownOnly };

  it.each(Object.entries(inputs))("show the model what is enforced, %s", async (_, input) => {
    const { shown } = await turn(mode, { done: [], input }, []);
    expect(
      shown.map(({ name, description, inputSchema }) => ({ name, description, input: inputSchema })),
    ).toEqual(
      Object.values(triageTools).map(({ name, description, input: { ...schema } }) => ({
        name,
        description,
        input: expect.objectContaining(schema),
      })),
    );
  });

  it.each(Object.entries(inputs))("run an allowed call, %s", async (_, input) => {
    const done: object[] = [];
    const { application, told } = await turn(mode, { done, input }, [call("call_1", "open_issue", issue)]);
    expect([done, told]).toEqual([[issue], { call_1: "done" }]);
    expect(application.labelsByCall()).toMatchObject({
      call_1: { side_effect: "write", input_fp: canonicalFp(issue), output_fp: canonicalFp("done") },
    });
    application.expectVerified();
  });

  it.each(badCalls)(
    "refuse $what, tell the model and label the call",
    async ({ tool: name, args, told: why }) => {
      const desk = { done: [], confirmed: () => true, input: shownOnly };
      const { application, told } = await turn(mode, desk, [call("call_1", name, args)]);
      expect(desk.done).toEqual([]);
      expect(told).toEqual({ call_1: `${prefix}Refused, nothing was run. ${why}` });
      expect(application.labelsByCall()).toMatchObject({ call_1: { error_class: "schema" } });
      application.expectVerified();
    },
  );

  it("run what has to be confirmed only when it is, outside the model", async () => {
    for (const confirmed of [undefined, () => false, () => true]) {
      const desk = { done: [], input: shownOnly, ...(confirmed === undefined ? {} : { confirmed }) };
      const { application, told } = await turn(mode, desk, [call("call_1", "rerun_job", { job_id: "7" })]);
      if (confirmed?.() === true) {
        expect([desk.done, told]).toEqual([[{ job_id: "7" }], { call_1: "done" }]);
      } else {
        expect([desk.done, told.call_1]).toEqual([
          [],
          expect.stringContaining("Refused, nothing was run. confirmation: "),
        ]);
        expect(application.labelsByCall()).toMatchObject({ call_1: { error_class: "schema" } });
      }
      application.expectVerified();
    }
  });
});

describe.each(versions.filter(takesContracts))("contracts that $title gets as they are", (mode) => {
  it.each(badCalls)("are held by it, before there is a call: $what", async (bad) => {
    const desk = { done: [], confirmed: () => true, input: asItIs };
    const { application, told } = await turn(mode, desk, [call("call_1", bad.tool, bad.args)]);
    expect(desk.done).toEqual([]);
    expect(told.call_1).toMatch(/invalid input/i);
    expect(told.call_1).toContain(bad.told.replace(/^[a-z]+: /, ""));
    expect(application.labelsByCall()).toEqual({});
    application.expectVerified("nothing-to-check");
  });
});

describe.each(versions.filter((mode) => !takesContracts(mode)))(
  "contracts as they are with $title",
  (mode) => {
    it("are no input: it refuses to start", async () => {
      const desk = { done: [], input: asItIs };
      await expect(turn(mode, desk, [call("call_1", "open_issue", issue)])).rejects.toThrow();
      expect(desk.done).toEqual([]);
    });
  },
);
