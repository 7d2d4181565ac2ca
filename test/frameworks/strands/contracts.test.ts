import { tool } from "@strands-agents/sdk";
import { beforeEach, describe, expect, it } from "vitest";
import { guardedTool } from "../../../src/adapters/strands.ts";
import type { Contract } from "../../../src/contracts/index.ts";
import { canonicalFp } from "../../../src/index.ts";
import { useContextManager } from "../../support/tracing.ts";
import { Application } from "../application.ts";
import { triageTools } from "../contracts.ts";
import { type Any, agentOf, NEWEST_CONVENTIONS, use } from "./agent.ts";
import { call, RecordingModel } from "./scripted-model.ts";

useContextManager();

let application: Application;
let done: [tool: string, args: object][];
beforeEach(() => {
  process.env.OTEL_SEMCONV_STABILITY_OPT_IN = NEWEST_CONVENTIONS;
  application = new Application();
  use(application);
  done = [];
});

async function play(name: string, args: object, options?: Any) {
  const model = new RecordingModel([[call("call_1", name, args)]]);
  const tools = Object.values(triageTools).map((contract: Contract<Any>) =>
    tool(
      guardedTool(
        contract,
        async (given: object) => {
          done.push([contract.name, given]);
          return "ok";
        },
        options,
      ),
    ),
  );
  await application.request(() => agentOf([], { model, tools }).invoke("go"));
  return { told: model.told().call_1, tools: model.tools() };
}

const issue = { title: "Red build", severity: "p1" };

describe("a guarded tool of Strands", () => {
  it("shows the model its contract", async () => {
    const { tools } = await play("open_issue", issue);
    const expected = Object.entries(triageTools).map(([name, contract]) => [name, contract.jsonSchema()]);
    expect(tools).toEqual(Object.fromEntries(expected));
  });

  it("lets a call through that it allows, with its labels", async () => {
    const { told } = await play("open_issue", issue);
    expect(told).toBe("ok");
    expect(done).toEqual([["open_issue", issue]]);
    expect((await application.labelsByCall()).call_1).toMatchObject({
      input_fp: canonicalFp(issue),
      output_fp: canonicalFp("ok"),
      side_effect: "write",
    });
    expect(await application.findings()).toEqual([]);
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
    expect(told).toContain(`Refused, nothing was run. `);
    expect(told).toContain(expected);
    expect((await application.labelsByCall()).call_1).toMatchObject({
      error_class: "schema",
      output_fp: canonicalFp(null),
    });
    expect(await application.findings()).toEqual([]);
  });

  it("refuses what nobody outside the model has confirmed", async () => {
    const { told } = await play("rerun_job", { job_id: "7" });
    expect(done).toEqual([]);
    expect(told).toContain("confirm");
    expect((await application.labelsByCall()).call_1).toMatchObject({ error_class: "schema" });
  });
});
