import { afterAll, describe, expect, it } from "vitest";
import { canonicalFp } from "../../../src/index.ts";
import { badCalls, issue } from "../../frameworks/bad-calls.ts";
import { triageTools } from "../../frameworks/contracts.ts";
import { expectPass, labelsOf, toolSpans } from "./tracing.ts";
import { call, contractGuard, triageAgent } from "./triage-agent.ts";

const agent = await triageAgent();
afterAll(agent.close);

describe("a contract with the Claude Agent SDK", () => {
  it("is shown to the model as it is", async () => {
    const { shown } = await agent.ask(contractGuard(), async () => "done", []);
    for (const [name, contract] of Object.entries(triageTools)) {
      const { $schema: _, ...schema } = shown[`mcp__triage__${name}`] as Record<string, unknown>;
      expect(schema).toEqual(contract.jsonSchema("anthropic"));
    }
  });

  it("lets no bad call reach its function, and tells the model what is allowed", async () => {
    const reached: object[] = [];
    const work = async (args: object) => {
      reached.push(args);
      return "opened";
    };
    const { told, spans } = await agent.ask(contractGuard(), work, [
      badCalls.map(({ tool, args }) => call(tool, args)),
      [call("open_issue", issue)],
    ]);
    expect(reached).toEqual([issue]);
    expect(told).toEqual([...badCalls.map((bad) => `Refused, nothing was run. ${bad.told}`), "opened"]);
    const tools = toolSpans(spans);
    expect(tools.map((span) => labelsOf(span)["trustabl.tool.error_class"])).toEqual([
      ...badCalls.map(() => "schema"),
      undefined,
    ]);
    expect(labelsOf(tools[5])).toMatchObject({
      "trustabl.tool.input_fp": canonicalFp(issue),
      "trustabl.tool.side_effect": "write",
    });
    expectPass(spans, 6);
  });

  it("runs what needs a confirmation only when somebody outside the model has confirmed it", async () => {
    const reached: object[] = [];
    const work = async (args: object) => {
      reached.push(args);
      return "started";
    };
    const answers = [false, true];
    const rerun = call("rerun_job", { job_id: "12" });
    const { told, spans } = await agent.ask(
      contractGuard(),
      work,
      [[rerun], [rerun]],
      {},
      () => answers.shift() === true,
    );
    expect(reached).toEqual([{ job_id: "12" }]);
    expect(told).toEqual([expect.stringContaining("confirm"), "started"]);
    expect(toolSpans(spans).map((span) => labelsOf(span)["trustabl.tool.error_class"])).toEqual([
      "schema",
      undefined,
    ]);
    expect(toolSpans(spans).map((span) => labelsOf(span)["trustabl.tool.attempt"])).toEqual([1, 2]);
  });
});
