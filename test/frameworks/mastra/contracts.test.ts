import { createTool } from "@mastra/core/tools";
import { beforeEach, describe, expect, it } from "vitest";
import { guardedTool } from "../../../src/adapters/mastra.ts";
import { type Contract, tool } from "../../../src/contracts/index.ts";
import { canonicalFp } from "../../../src/index.ts";
import { useContextManager } from "../../support/tracing.ts";
import { Application } from "../application.ts";
import { triageTools } from "../contracts.ts";
import { type Any, agentIn, bridged } from "./agent.ts";
import { call, recordingModel, withoutEveryType } from "./scripted-model.ts";

useContextManager();

let application: Application;
let done: [tool: string, args: object][];
beforeEach(() => {
  application = new Application();
  done = [];
});

type Way = (contract: Contract<Any>, options?: Any) => Any;

const work =
  ({ name }: Contract<Any>) =>
  async (args: object) => {
    done.push([name, args]);
    return "ok";
  };
const guarded: Way = (contract, options) => createTool(guardedTool(contract, work(contract), options) as Any);
const asItIs: Way = (contract, options) => {
  const { name: id, description } = contract;
  return createTool({
    id,
    description,
    inputSchema: contract,
    execute: tool(contract, work(contract), options),
  } as Any);
};

async function play(way: Way, calls: readonly [tool: string, args: object][], options?: Any) {
  const script = [calls.map(([name, args], index) => call(`call_${index + 1}`, name, args))];
  const { model, told, tools } = recordingModel(script);
  const made = Object.values(triageTools).map((contract) => [contract.name, way(contract as Any, options)]);
  const agent = agentIn(bridged(application), { script: [], model, tools: Object.fromEntries(made) });
  await application.request(() => agent.generate("go"));
  return { told: told(), tools: tools() };
}

const issue = { title: "Red build", severity: "p1" };
const BAD_CALLS: [what: string, tool: string, args: object, told: string][] = [
  ["a missing field", "open_issue", { title: "Red build" }, "severity: required, expected one of p1, p2, p3"],
  ["a value that is not listed", "open_issue", { ...issue, severity: "p4" }, "expected one of p1, p2, p3"],
  ["an invented field", "open_issue", { ...issue, labels: ["ci"] }, "no other fields than title, severity"],
  ["a wrong type", "open_issue", { ...issue, title: 7 }, "title: expected a string of 1 to 80 characters"],
  [
    "a confirmation by the model",
    "rerun_job",
    { job_id: "7", confirmed: true },
    "no other fields than job_id",
  ],
];

describe.each<[string, Way]>([
  ["that are guarded", guarded],
  ["that Mastra is given as they are", asItIs],
])("contracts %s", (_how, way) => {
  it("are what the model is shown", async () => {
    const { tools } = await play(way, []);
    const expected = Object.entries(triageTools).map(([name, contract]) => [name, contract.jsonSchema()]);
    expect(withoutEveryType(tools)).toEqual(Object.fromEntries(expected));
  });

  it("let a call through that they allow, with its labels", async () => {
    const { told } = await play(way, [["open_issue", issue]]);
    expect(told).toEqual({ call_1: "ok" });
    expect(done).toEqual([["open_issue", issue]]);
    expect((await application.labelsByCall()).call_1).toMatchObject({
      input_fp: canonicalFp(issue),
      output_fp: canonicalFp("ok"),
      side_effect: "write",
    });
    expect(await application.findings()).toEqual([]);
  });

  it.each(BAD_CALLS)("refuse %s, and the model can mend it", async (_what, name, args, expected) => {
    const { told } = await play(way, [[name, args]], { confirmed: () => true });
    expect(done).toEqual([]);
    expect(JSON.stringify(told.call_1)).toContain(expected);
    const { call_1 } = await application.labelsByCall();
    if (way === guarded) {
      expect(told.call_1).toMatch(/^Refused, nothing was run\. /);
      expect(call_1).toMatchObject({ error_class: "schema", output_fp: canonicalFp(null) });
      expect(await application.findings()).toEqual([]);
    } else {
      // Mastra answers before the tool: it has not run, and nothing says that it has.
      expect(call_1).toEqual({});
    }
  });

  it("refuse what nobody outside the model has confirmed", async () => {
    const { told } = await play(way, [["rerun_job", { job_id: "7" }]]);
    expect(done).toEqual([]);
    expect(JSON.stringify(told.call_1)).toContain("confirm");
    expect((await application.labelsByCall()).call_1).toMatchObject({ error_class: "schema" });
  });
});

describe("a guarded tool of Mastra that requires an approval", () => {
  it("is confirmed by it, and by nothing that the model sends", async () => {
    const { rerun_job: contract } = triageTools;
    const options = guardedTool(contract, work(contract as Any), { confirmed: () => true });
    const rerun = createTool({ ...options, requireApproval: true });
    const { model } = recordingModel([
      [call("call_1", "rerun_job", { job_id: "7", confirmed: true, resumeData: { approved: true } })],
      [call("call_2", "rerun_job", { job_id: "7" })],
    ]);
    const agent = agentIn(bridged(application), { script: [], model, tools: { rerun_job: rerun } });
    const approve = ({ runId, suspendPayload: { toolCallId } }: Any): Promise<Any> =>
      application.request(() => agent.approveToolCallGenerate({ runId, toolCallId }));
    const first: Any = await application.request(() => agent.generate("go"));
    expect(first.finishReason).toBe("suspended");
    const second = await approve(first);
    expect(second.finishReason).toBe("suspended");
    expect(done).toEqual([]);
    await approve({ ...second, runId: first.runId });
    expect(done).toEqual([["rerun_job", { job_id: "7" }]]);
  });
});
