import { BeforeToolCallEvent } from "@strands-agents/sdk";
import { beforeEach, describe, expect, it } from "vitest";
import { exitReasonOf, labelTools } from "../../../src/adapters/strands.ts";
import { canonicalFp } from "../../../src/index.ts";
import { useContextManager } from "../../support/tracing.ts";
import { Application, byStep, isToolSpan, labelsOf, rootsOf } from "../application.ts";
import { scenario } from "../scenario.ts";
import { type Any, agentOf, NEWEST_CONVENTIONS, ROW, toolOf, use } from "./agent.ts";
import { call } from "./scripted-model.ts";

useContextManager();

let application: Application;
beforeEach(() => {
  process.env.OTEL_SEMCONV_STABILITY_OPT_IN = NEWEST_CONVENTIONS;
  application = new Application();
  use(application);
});

/** A request that is interrupted, and one that answers. */
async function answered(agent: Any, response: string) {
  const options = { exitReason: (result: Any) => exitReasonOf(result) };
  const first: Any = await application.request(() => agent.invoke("go"), options);
  expect(first.stopReason).toBe("interrupt");
  const before = byStep(await application.spans()).map(labelsOf);
  const answers = first.interrupts.map(({ id }: Any) => ({
    interruptResponse: { interruptId: id, response },
  }));
  const second: Any = await application.request(() => agent.invoke(answers), options);
  expect(second.toString()).toBe("done");
  return before;
}

describe("an approval in Strands, by a hook", () => {
  const approvable = () => {
    const book = toolOf("book", async ({ q }) => q);
    const tools = labelTools([book], { book: { sideEffect: "irreversible" } });
    const agent = agentOf([[call("call_1", "book")]], { tools });
    agent.addHook(BeforeToolCallEvent, (event) => {
      if (event.interrupt({ name: "sure", reason: "sure?" }) !== "yes") event.cancel = "refused";
    });
    return agent;
  };

  it(
    "that is granted lets the call through, which counts in the run that resumed",
    scenario(ROW, "approval-granted"),
    async () => {
      expect(await answered(approvable(), "yes")).toEqual([]);
      const [, second] = rootsOf(await application.spans()).map(labelsOf);
      expect(await application.labelsByCall()).toEqual({
        call_1: {
          run_id: second?.run_id,
          step_index: 0,
          attempt: 1,
          side_effect: "irreversible",
          input_fp: canonicalFp({ q: "same" }),
          output_fp: canonicalFp("same"),
        },
      });
      expect(await application.findings()).toEqual([]);
    },
  );

  it("that is refused runs no tool, so nothing is labelled", scenario(ROW, "approval-refused"), async () => {
    expect(await answered(approvable(), "no")).toEqual([]);
    expect((await application.spans()).filter(isToolSpan)).toEqual([]);
    expect(await application.findings()).toEqual([]);
  });
});

describe("a Strands tool that interrupts", () => {
  it("has not failed, and is the first attempt again in the run that resumed", async () => {
    const book = toolOf(
      "book",
      async ({ q }, context) => `${q} ${context.interrupt({ name: "sure", reason: "sure?" })}`,
    );
    const tools = labelTools([book], { book: { errorClass: () => "4xx" } });
    const [interrupted] = await answered(agentOf([[call("call_1", "book")]], { tools }), "yes");
    expect(interrupted).toMatchObject({ attempt: 1, step_index: 0, output_fp: canonicalFp(null) });
    expect(interrupted).not.toHaveProperty("error_class");
    const resumed = byStep(await application.spans())
      .map(labelsOf)
      .find(({ run_id }) => run_id !== interrupted?.run_id);
    expect(resumed).toMatchObject({ attempt: 1, step_index: 0, output_fp: canonicalFp("same yes") });
    expect(await application.findings()).toEqual([]);
  });
});
