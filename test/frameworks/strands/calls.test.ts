import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { labelTools } from "../../../src/adapters/strands.ts";
import { canonicalFp } from "../../../src/index.ts";
import { useContextManager } from "../../support/tracing.ts";
import { Application, labelsOf, rootsOf } from "../application.ts";
import { scenario } from "../scenario.ts";
import { type Any, agentOf, NEWEST_CONVENTIONS, ROW, search, toolOf, use } from "./agent.ts";
import { type Answer, call } from "./scripted-model.ts";

useContextManager();

describe.each([
  { conventions: "usual", optIn: undefined },
  { conventions: "newest", optIn: NEWEST_CONVENTIONS },
])("the calls of a Strands agent with the $conventions conventions", ({ optIn }) => {
  let application: Application;
  beforeAll(() => {
    if (optIn !== undefined) process.env.OTEL_SEMCONV_STABILITY_OPT_IN = optIn;
  });
  afterAll(() => {
    delete process.env.OTEL_SEMCONV_STABILITY_OPT_IN;
  });
  beforeEach(() => {
    application = new Application();
    use(application);
  });
  const invoke = (script: readonly Answer[], options: object) =>
    application.request((): Promise<Any> => agentOf(script, options).invoke("go"));
  /** Without attributes of the content, the verifier has nothing to compare fingerprints with; nothing else is open. */
  const expectVerified = async () => {
    const findings = (await application.findings()) as { id: string; outcome: string }[];
    const open = optIn === undefined ? [["fingerprint-true", "unknown"]] : [];
    expect(findings.map(({ id, outcome }) => [id, outcome])).toEqual(open);
  };

  it(
    "have the labels of the first, second and third attempt when three are identical, and nothing else has any",
    scenario(ROW, ["sequence", "application-span"]),
    async () => {
      const script = ["call_1", "call_2", "call_3"].map((id): Answer => [call(id, "search")]);
      await invoke(script, { tools: labelTools([search], { search: { sideEffect: "read" } }) });
      const { call_1, call_2, call_3 } = await application.labelsByCall();
      const [root] = rootsOf(await application.spans());
      expect(labelsOf(root)).toEqual({ run_id: call_1?.run_id, exit_reason: "final_answer" });
      expect([call_1, call_2, call_3]).toEqual(
        [1, 2, 3].map((attempt) => ({
          run_id: labelsOf(root).run_id,
          attempt,
          step_index: attempt - 1,
          side_effect: "read",
          input_fp: canonicalFp({ q: "same" }),
          output_fp: canonicalFp({ found: "same" }),
        })),
      );
      await expectVerified();
      expect((await application.verified()).examined).toMatchObject({ toolSpans: 3, runs: 1 });
    },
  );

  it.each(["concurrent", "sequential"])(
    "of one answer are kept apart, identical ones too, with the %s executor",
    scenario(ROW, "parallel"),
    async (toolExecutor) => {
      const slow = (name: string, delay: number) =>
        toolOf(name, async ({ q }, { toolUse }) => {
          await sleep(delay);
          return `${q} for ${toolUse.toolUseId}`;
        });
      const calls = [
        call("call_1", "slow"),
        call("call_2", "slow"),
        call("call_3", "quick", { q: "other" }),
        call("call_4", "slow", { q: "other" }),
      ];
      await invoke([calls], { toolExecutor, tools: labelTools([slow("slow", 20), slow("quick", 1)]) });
      expect(await application.labelsByCall()).toMatchObject(
        Object.fromEntries(
          calls.map(([id, , input], step_index) => [
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
      await expectVerified();
    },
  );

  it("have the class of what they throw, and the agent goes on", scenario(ROW, "throws"), async () => {
    const fails = toolOf("fails", async () => {
      throw Object.assign(new Error("no"), { status: 503 });
    });
    const result = await invoke([[call("call_1", "fails")]], { tools: labelTools([fails]) });
    expect(result.toString()).toBe("done");
    expect(await application.labelsByCall()).toMatchObject({
      call_1: { error_class: "5xx", output_fp: canonicalFp(null), attempt: 1 },
    });
    await expectVerified();
  });

  it(
    "have the class of a failure that they return, and say that nothing was found",
    scenario(ROW, "returned-failure"),
    async () => {
      const book = toolOf("book", async () => ({ full: true }));
      const list = toolOf("list", () => []);
      await invoke([[call("call_1", "book"), call("call_2", "list")]], {
        tools: labelTools([book, list], {
          book: { errorClass: (_error, result) => ((result as { full: boolean }).full ? "4xx" : undefined) },
          list: { isEmpty: (found) => (found as unknown[]).length === 0 },
        }),
      });
      expect(await application.labelsByCall()).toMatchObject({
        call_1: { error_class: "4xx", output_fp: canonicalFp({ full: true }) },
        call_2: { error_class: "empty", output_fp: canonicalFp([]) },
      });
      await expectVerified();
    },
  );

  it("have the class schema when their arguments are wrong, though the function is not called", async () => {
    await invoke([[call("call_1", "search", { q: 1 })]], { tools: labelTools([search]) });
    expect(await application.labelsByCall()).toMatchObject({
      call_1: { error_class: "schema", input_fp: canonicalFp({ q: 1 }), output_fp: canonicalFp(null) },
    });
    await expectVerified();
  });

  it("of a tool that yields its progress have the fingerprint of what it returns", async () => {
    const slow = toolOf("slow", async function* ({ q }: { q: string }) {
      yield "half";
      await sleep(1);
      yield "nearly";
      return q;
    });
    const progress: unknown[] = [];
    await application.request(async () => {
      const agent = agentOf([[call("call_1", "slow")]], { tools: labelTools([slow]) });
      for await (const event of agent.stream("go")) {
        if (event.type === "toolStreamUpdateEvent") progress.push(event.event.data);
      }
    });
    expect(progress).toEqual(["half", "nearly"]);
    expect(await application.labelsByCall()).toMatchObject({ call_1: { output_fp: canonicalFp("same") } });
    await expectVerified();
  });

  it("have no labels when there is no such tool", async () => {
    await invoke([[call("call_1", "nowhere")], [call("call_2", "search")]], { tools: labelTools([search]) });
    const { call_1, call_2 } = await application.labelsByCall();
    expect(call_1).toEqual({});
    expect(call_2).toMatchObject({ step_index: 0, attempt: 1 });
  });
});
