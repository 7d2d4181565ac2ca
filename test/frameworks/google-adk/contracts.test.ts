import { FunctionTool } from "@google/adk";
import { beforeEach, describe, expect, it } from "vitest";
import { guardedTool } from "../../../src/adapters/google-adk.ts";
import type { Contract } from "../../../src/contracts/index.ts";
import { canonicalFp } from "../../../src/index.ts";
import { triageTools } from "../contracts.ts";
import { agent, ask } from "./agents.ts";
import { ScriptedModel } from "./scripted-model.ts";
import { checked, inRun, labelsOf, takeSpans } from "./tracing.ts";

// biome-ignore lint/suspicious/noExplicitAny: a contract of any arguments
type Any = any;

let done: [tool: string, args: object][];
beforeEach(() => {
  done = [];
  takeSpans();
});

async function play(name: string, args: object, options?: Any) {
  const model = new ScriptedModel([{ name, args: { ...args }, id: "call_1" }]);
  const tools = Object.values(triageTools).map(
    (contract: Contract<Any>) =>
      new FunctionTool(
        guardedTool(
          contract,
          async (given: object) => {
            done.push([contract.name, given]);
            return { ok: true };
          },
          options,
        ),
      ),
  );
  await inRun(() => ask(agent([], { model, tools })));
  return { told: model.told().call_1, tools: model.tools() };
}

const issue = { title: "Red build", severity: "p1" };
const labels = () => labelsOf(takeSpans().find((span) => "trustabl.tool.attempt" in labelsOf(span)));

describe("a guarded tool of ADK", () => {
  it("shows the model its contract, in a form that ADK's client passes on", async () => {
    const { tools } = await play("open_issue", issue);
    const expected = Object.entries(triageTools).map(([name, contract]) => [
      name,
      { $schema: expect.any(String), ...contract.jsonSchema() },
    ]);
    expect(tools).toEqual(Object.fromEntries(expected));
  });

  it("lets a call through that it allows, with its labels", async () => {
    const { told } = await play("open_issue", issue);
    expect(told).toEqual({ ok: true });
    expect(done).toEqual([["open_issue", issue]]);
    const [span] = checked(takeSpans(), 1);
    expect(labelsOf(span)).toMatchObject({
      "trustabl.tool.input_fp": canonicalFp(issue),
      "trustabl.tool.output_fp": canonicalFp({ ok: true }),
      "trustabl.tool.side_effect": "write",
    });
  });

  it.each([
    [
      "a missing field",
      "open_issue",
      { title: "Red build" },
      "severity: required, expected one of p1, p2, p3",
    ],
    ["a value that is not listed", "open_issue", { ...issue, severity: "p4" }, "expected one of p1, p2, p3"],
    ["an invented field", "open_issue", { ...issue, labels: ["ci"] }, "no other fields than title, severity"],
    ["a wrong type", "open_issue", { ...issue, title: 7 }, "title: expected a string of 1 to 80 characters"],
    [
      "a confirmation by the model",
      "rerun_job",
      { job_id: "7", confirmed: true },
      "no other fields than job_id",
    ],
  ])("refuses %s, and the model can mend it", async (_what, name, args, expected) => {
    const { told } = await play(name, args, { confirmed: () => true });
    expect(done).toEqual([]);
    expect(told).toEqual({ error: expect.stringContaining("Refused, nothing was run. ") });
    expect(told).toEqual({ error: expect.stringContaining(expected) });
    expect(labels()).toMatchObject({ "trustabl.tool.error_class": "schema" });
  });

  it("refuses what nobody outside the model has confirmed", async () => {
    const { told } = await play("rerun_job", { job_id: "7" });
    expect(done).toEqual([]);
    expect(told).toEqual({ error: expect.stringContaining("confirm") });
    expect(labels()).toMatchObject({ "trustabl.tool.error_class": "schema" });
  });
});
