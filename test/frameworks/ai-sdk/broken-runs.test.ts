/** Runs that break off: nothing of them may read like an answer. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { canonicalFp } from "../../../src/index.ts";
import { useContextManager } from "../../support/tracing.ts";
import { type Any, inputSchema, modes, tools } from "./agent.ts";
import { Application } from "./request.ts";
import { call, scriptedModel } from "./scripted-model.ts";

useContextManager();

const exitReason = (application: Application) =>
  application.spans().find(({ name }) => name === "invoke_agent helper")?.attributes["trustabl.exit_reason"];
const script = [[call("call_1", "search")], [call("call_2", "search")], "done"];

describe.each(modes)("a run of $title that breaks off", ({ version, answer }) => {
  it.each([1, 2])("ends with error when it is aborted while the tool of step %s runs", async (step) => {
    const application = new Application();
    const controller = new AbortController();
    let calls = 0;
    const search = {
      inputSchema,
      execute: async () => {
        calls += 1;
        if (calls === step) {
          controller.abort();
          await sleep(5);
        }
        return "found";
      },
    };
    await answer(application, { script, tools: { search }, abortSignal: controller.signal }).catch(() => {});
    expect(exitReason(application)).toBe("error");
  });

  it.each([1, 2])("ends with error when the model fails in step %s", async (step) => {
    const application = new Application();
    const model = scriptedModel(version, script) as Any;
    const down = () => {
      throw new Error("the model is down");
    };
    let asked = 0;
    for (const method of ["doGenerate", "doStream"]) {
      const ask = model[method].bind(model);
      model[method] = (options: unknown) => (++asked === step ? down() : ask(options));
    }
    const options = { script, tools: { search: tools.search }, model, maxRetries: 0, onError: () => {} };
    await answer(application, options).catch(() => {});
    expect(asked).toBe(step);
    expect(exitReason(application)).toBe("error");
    // What ran before is labelled as ever.
    expect(application.labelsByCall()).toMatchObject(
      step === 1 ? {} : { call_1: { attempt: 1, output_fp: canonicalFp(["same found"]) } },
    );
  });
});
