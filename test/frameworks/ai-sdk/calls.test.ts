import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { canonicalFp } from "../../../src/index.ts";
import { useContextManager } from "../../support/tracing.ts";
import { type Any, definitions, inputSchema, modes, only, tools } from "./agent.ts";
import { Application, labelsOf } from "./request.ts";
import { call } from "./scripted-model.ts";

useContextManager();

describe.each(modes)("the calls of a run of $title", ({ answer, shows, streaming }) => {
  it(
    "labels three identical calls in sequence as the first, second and third attempt",
    shows("sequence", "application-span", ...(streaming ? ["streaming" as const] : [])),
    async () => {
      const application = new Application();
      await answer(application, {
        script: [[call("call_1", "search")], [call("call_2", "search")], [call("call_3", "search")], "done"],
        tools: { search: tools.search },
        definitions: only("search"),
      });
      const { call_1, call_2, call_3 } = application.labelsByCall();
      expect([call_1, call_2, call_3]).toMatchObject(
        [1, 2, 3].map((attempt) => ({
          attempt,
          step_index: attempt - 1,
          side_effect: "read",
          input_fp: canonicalFp({ q: "same" }),
          output_fp: canonicalFp(["same found"]),
        })),
      );
      const root = application.spans().find(({ name }) => name === "invoke_agent helper");
      expect(root && labelsOf(root)).toEqual({ run_id: call_1?.run_id, exit_reason: "final_answer" });
      expect(application.expectVerified().examined).toMatchObject({ toolSpans: 3, runs: 1 });
    },
  );

  it("keeps parallel calls apart, identical ones too", shows("parallel"), async () => {
    const application = new Application();
    const slow = (delay: number) => ({
      inputSchema,
      execute: async ({ q }: { q: string }, { toolCallId }: { toolCallId: string }) => {
        await sleep(delay);
        return `${q} for ${toolCallId}`;
      },
    });
    const calls = [
      call("call_1", "slow"),
      call("call_2", "slow"),
      call("call_3", "quick", { q: "other" }),
      call("call_4", "slow", { q: "other" }),
    ];
    await answer(application, { script: [calls, "done"], tools: { slow: slow(20), quick: slow(1) } });
    const labels = application.labelsByCall();
    expect(labels).toMatchObject(
      Object.fromEntries(
        calls.map(({ id, input }, step_index) => [
          id,
          {
            step_index,
            attempt: id === "call_2" ? 2 : 1,
            input_fp: canonicalFp(input),
            output_fp: canonicalFp(`${(input as { q: string }).q} for ${id}`),
          },
        ]),
      ),
    );
    application.expectVerified();
  });

  it("takes a default that the model left out, and the same value written, for the same call", async () => {
    const application = new Application();
    const weather = {
      inputSchema: z.object({ city: z.string().trim(), unit: z.enum(["C", "F"]).default("C") }),
      execute: async ({ city, unit }: { city: string; unit: string }) => `${city}: 7 ${unit}`,
    };
    const calls = [{ city: "Rome" }, { city: " Rome", unit: "C" }, { city: "Rome", unit: "F" }];
    await answer(application, {
      script: [...calls.map((input, index) => [call(`call_${index + 1}`, "weather", input)]), "done"],
      tools: { weather },
    });
    const celsius = canonicalFp({ city: "Rome", unit: "C" });
    expect(application.labelsByCall()).toMatchObject({
      call_1: { input_fp: celsius, attempt: 1 },
      call_2: { input_fp: celsius, attempt: 2 },
      call_3: { input_fp: canonicalFp({ city: "Rome", unit: "F" }), attempt: 1 },
    });
    application.expectVerified();
  });

  it("labels a tool that throws, and the run goes on", shows("throws"), async () => {
    const application = new Application();
    const refused = Object.assign(new Error("no"), { status: 503 });
    const result = await answer(application, {
      script: [[call("call_1", "fails")], "done"],
      tools: {
        fails: {
          inputSchema,
          execute: async () => {
            throw refused;
          },
        },
      },
    });
    const [part] = result.steps[0].content.filter(({ type }: Any) => type === "tool-error");
    expect(part.error).toBe(refused);
    expect(application.labelsByCall()).toMatchObject({
      call_1: { error_class: "5xx", output_fp: canonicalFp(null), attempt: 1 },
    });
    application.expectVerified();
  });

  it("labels a returned failure, and a result that found nothing", shows("returned-failure"), async () => {
    const application = new Application();
    await answer(application, {
      script: [[call("call_1", "book", { q: "full" })], [call("call_2", "search", { q: "none" })], "done"],
      tools: { ...tools, search: { inputSchema, execute: () => [] } },
      definitions,
    });
    expect(application.labelsByCall()).toMatchObject({
      call_1: { error_class: "4xx", side_effect: "irreversible", output_fp: canonicalFp({ full: true }) },
      call_2: { error_class: "empty", side_effect: "read", output_fp: canonicalFp([]) },
    });
    application.expectVerified();
  });

  it("labels a tool that streams its result with the last part, which the model gets as before", async () => {
    const application = new Application();
    const result = await answer(application, {
      script: [[call("call_1", "parts")], "done"],
      tools: {
        parts: {
          inputSchema,
          async *execute() {
            yield "loading";
            await sleep(1);
            yield "all";
          },
        },
      },
    });
    const outputs = result.steps[0].content.filter(({ type }: Any) => type === "tool-result");
    expect(outputs.map(({ output }: Any) => output)).toEqual(["all"]);
    expect(application.labelsByCall()).toMatchObject({ call_1: { output_fp: canonicalFp("all") } });
    application.expectVerified();
  });
});
