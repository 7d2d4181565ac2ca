import * as newest from "@openai/agents";
import { beforeEach, describe, expect, it } from "vitest";
import { guardedTool } from "../../../src/adapters/openai-agents.ts";
import { tool as guarded } from "../../../src/contracts/index.ts";
import { canonicalFp } from "../../../src/index.ts";
import { badCalls, issue } from "../bad-calls.ts";
import { triageTools } from "../contracts.ts";
import { type Any, Desk, recordingModel, versions } from "./mediated-desk.ts";
import { openInference } from "./open-inference.ts";
import { calls } from "./scripted-model.ts";
import { type Agents, type Exported, exported, labelsOf, traceAgents } from "./traced.ts";

/** How the SDK is given a contract: in OpenAI's strict mode, without it, or the contract as it is. */
type Way = (contract: Any, execute: (args: unknown) => unknown, options: object) => object;
const strict: Way = (contract, execute, options) => guardedTool(contract, execute, options);
const nonStrict: Way = (contract, execute, options) =>
  guardedTool(contract, execute, { ...options, strict: false });
const asItIs: Way = (contract, execute, options) => ({
  name: contract.name,
  description: contract.description,
  parameters: contract,
  execute: guarded(contract, execute, { onRefusal: ({ message }) => message, ...options }),
});
const SHOWN = [
  ["in strict mode", strict],
  ["without strict mode", nonStrict],
] as const;

interface Turn {
  readonly done: unknown[];
  readonly told: string | undefined;
  readonly shown: Any[];
}

/** One turn of an agent that has the whole registry, in which the model makes one call, or none. */
async function turn(agents: Agents, way: Way, call?: [string, object], options = {}): Promise<Turn> {
  const done: unknown[] = [];
  const work = async (args: unknown) => {
    done.push(args);
    return "done";
  };
  const tools = Object.values(triageTools).map((contract) =>
    agents.tool(way(contract, work, options) as Any),
  );
  const model = recordingModel(agents, ...(call === undefined ? [] : [[calls(call[0], call[1], "call_1")]]));
  const desk = new Desk(agents);
  await desk.run(desk.agent(model, tools));
  return { done, told: model.told().call_1, shown: model.requests[0].tools };
}

const labelsOfCall = ({ tools }: Exported) => tools().map((span) => labelsOf(span));

describe.each(versions)("contracts with OpenAI Agents %s", (_version, agents) => {
  beforeEach(() => traceAgents(agents, openInference));

  it.each(SHOWN)("show the model what is enforced, %s", async (_, way) => {
    const { shown } = await turn(agents, way);
    expect(shown.map((tool) => [tool.name, tool.description, tool.parameters, tool.strict])).toEqual(
      Object.values(triageTools).map((contract) => [
        contract.name,
        contract.description,
        contract.jsonSchema(way === strict ? "openai" : "json-schema"),
        way === strict,
      ]),
    );
  });

  it.each(SHOWN)("run an allowed call, %s", async (_, way) => {
    const { done, told } = await turn(agents, way, ["open_issue", issue]);
    expect([done, told]).toEqual([[issue], "done"]);
    expect(labelsOfCall(await exported())).toEqual([
      expect.objectContaining({
        "trustabl.tool.side_effect": "write",
        "trustabl.tool.input_fp": canonicalFp(issue),
        "trustabl.tool.output_fp": canonicalFp("done"),
      }),
    ]);
  });

  it("take null for an optional field that strict mode leaves out", async () => {
    const { done } = await turn(agents, strict, ["read_log", { job_id: "7", lines: null }]);
    expect(done).toEqual([{ job_id: "7" }]);
  });

  describe.each(SHOWN)("shown %s", (_, way) => {
    it.each(badCalls)("refuse $what, tell the model and label the call", async (bad) => {
      const { done, told } = await turn(agents, way, [bad.tool, bad.args], { confirmed: () => true });
      expect(done).toEqual([]);
      expect(told).toBe(`Refused, nothing was run. ${bad.told}`);
      expect(labelsOfCall(await exported())).toEqual([
        expect.objectContaining({ "trustabl.tool.error_class": "schema" }),
      ]);
    });
  });

  it("say it in other words where the application has some", async () => {
    const { told } = await turn(agents, strict, ["open_issue", {}], { onRefusal: () => "Ask the team." });
    expect(told).toBe("Ask the team.");
  });

  it("run what has to be confirmed only when it is, outside the model", async () => {
    for (const confirmed of [undefined, () => false, () => true]) {
      const { done, told } = await turn(agents, strict, ["rerun_job", { job_id: "7" }], { confirmed });
      const ran = confirmed?.() === true;
      expect(done).toEqual(ran ? [{ job_id: "7" }] : []);
      expect(told).toContain(ran ? "done" : "Refused, nothing was run. confirmation: ");
    }
  });
});

describe("contracts that OpenAI Agents gets as they are", () => {
  const agents = newest;
  beforeEach(() => traceAgents(agents, openInference));

  it("are shown to the model with the same fields, and run an allowed call", async () => {
    const { done, shown } = await turn(agents, asItIs, ["open_issue", issue]);
    expect(done).toEqual([issue]);
    expect(shown.map(({ name, parameters }) => [name, Object.keys(parameters.properties)])).toEqual(
      Object.values(triageTools).map(({ name, input }) => [name, Object.keys(input.properties ?? {})]),
    );
  });

  it.each(badCalls)("are held by the SDK, which does not say what was wrong: $what", async (bad) => {
    const { done, told } = await turn(agents, asItIs, [bad.tool, bad.args], { confirmed: () => true });
    expect(done).toEqual([]);
    expect(told).toMatch(/error/i);
    expect(told).not.toContain(bad.told);
    // There is a span, of a call that never reached the tool.
    expect(labelsOfCall(await exported({ passes: false }))).toEqual([{}]);
  });
});

describe.each(versions.filter(([version]) => version !== "0.20"))(
  "contracts that OpenAI Agents %s gets as they are",
  (_version, agents) => {
    beforeEach(() => traceAgents(agents, openInference));

    it.each(badCalls)("are no schema to it, and still hold: $what", async (bad) => {
      const { done, told, shown } = await turn(agents, asItIs, [bad.tool, bad.args], {
        confirmed: () => true,
      });
      expect(shown[0].parameters).toHaveProperty("input");
      expect([done, told]).toEqual([[], `Refused, nothing was run. ${bad.told}`]);
    });
  },
);
