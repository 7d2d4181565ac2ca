import { AgentTool, type LlmResponse, ParallelAgent, SequentialAgent, StreamingMode } from "@google/adk";
import { describe, expect, it } from "vitest";
import { exitReasonOf, labelTools } from "../../../src/adapters/google-adk.ts";
import { canonicalFp } from "../../../src/index.ts";
import { scenario } from "../scenario.ts";
import { agent, ask, conversation, search, searchTool } from "./agents.ts";
import { ScriptedModel } from "./scripted-model.ts";
import {
  agentTracker,
  checked,
  inRequest,
  inRun,
  isDelegated,
  labelsOf,
  root,
  takeSpans,
} from "./tracing.ts";

const ROW = "Google ADK 2.0";
const tools = () => labelTools([searchTool()]);
const steps = (spans: ReturnType<typeof takeSpans>) =>
  spans.map(({ attributes }) => [attributes["trustabl.step_index"], attributes["trustabl.tool.attempt"]]);

describe("a delegated agent", () => {
  it("that is a tool is marked, and its calls count in the run", scenario(ROW, "delegation"), async () => {
    const inner = agent([[search("c1")]], { name: "inner", tools: tools() });
    const asking = { name: "inner", args: { request: "x" }, id: "c1" };
    const main = agent([[asking], [search("c1")]], {
      tools: labelTools([new AgentTool({ agent: inner }), searchTool()]),
    });
    await inRun(() => ask(main));
    const all = takeSpans();
    expect(all.filter(isDelegated).map(({ name }) => name)).toEqual(["invoke_agent inner"]);
    const spans = checked(all, 3);
    expect(spans.map(({ name }) => name)).toEqual([
      "execute_tool inner",
      "execute_tool search",
      "execute_tool search",
    ]);
    expect(steps(spans)).toEqual([
      [0, 1],
      [1, 1],
      [2, 2],
    ]);
  });

  it("that was transferred to is marked; the transfer itself is no call", async () => {
    const sub = agent([[search("c1")]], { name: "sub", tools: tools() });
    const transfer = { name: "transfer_to_agent", args: { agentName: "sub" } };
    await inRun(() => ask(agent([[transfer]], { subAgents: [sub] })));
    const all = takeSpans();
    expect(all.filter(isDelegated).map(({ name }) => name)).toEqual(["invoke_agent sub"]);
    checked(all, 1);
  });

  it("is none when the conversation goes on with it: then it begins the run", async () => {
    const sub = agent([[search("c1")], [search("c2")]], { name: "sub", tools: tools() });
    const transfer = { name: "transfer_to_agent", args: { agentName: "sub" } };
    const say = await conversation(agent([[transfer]], { subAgents: [sub] }));
    await inRun(() => say());
    takeSpans();
    await inRun(() => say());
    const all = takeSpans();
    expect(all.map(({ name }) => name)).toContain("invoke_agent sub");
    expect(all.filter(isDelegated)).toEqual([]);
  });

  it.each([
    ["one after the other", SequentialAgent],
    ["at the same time", ParallelAgent],
  ])(
    "is marked with an id of its own for each step of an agent that is composed of agents, %s",
    async (_how, Composed) => {
      const subAgents = ["one", "two"].map((name) => agent([[search("c1", name)]], { name, tools: tools() }));
      await inRun(() => ask(new Composed({ name: "all", subAgents })));
      const all = takeSpans();
      expect(
        all
          .filter(isDelegated)
          .map(({ name }) => name)
          .sort(),
      ).toEqual(["invoke_agent one", "invoke_agent two"]);
      expect(
        new Set(all.filter(isDelegated).map(({ attributes }) => attributes["trustabl.handoff_id"])).size,
      ).toBe(2);
      checked(all, 2);
    },
  );

  it("leaves nothing in the tracker's memory", () => {
    expect(agentTracker.size).toBe(0);
  });
});

describe("runs at the same time", () => {
  it("have their own counters", scenario(ROW, "two-runs"), async () => {
    const runIds = new Map<string, string>();
    const one = (q: string) =>
      inRequest(() =>
        inRun((run) => {
          runIds.set(q, run.runId);
          return ask(agent([[search("c1", q)], [search("c2", q)]], { tools: tools() }));
        }),
      );
    await Promise.all(["a", "b"].map(one));
    const spans = checked(takeSpans(), 4);
    for (const q of ["a", "b"]) {
      const own = spans.filter(
        ({ attributes }) => attributes["trustabl.tool.input_fp"] === canonicalFp({ q }),
      );
      expect(own.map(({ attributes }) => attributes["trustabl.run_id"])).toEqual([
        runIds.get(q),
        runIds.get(q),
      ]);
      expect(steps(own)).toEqual([
        [0, 1],
        [1, 2],
      ]);
    }
  });

  it("are not mixed up: 1,000 calls in 50 runs, over the same ids and the same tool", async () => {
    const shared = labelTools([
      searchTool(async ({ q }, id) => {
        await new Promise(setImmediate);
        return { found: `#${q}-${id}#` };
      }),
    ]);
    const runIds: string[] = [];
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        inRun((run) => {
          runIds[index] = run.runId;
          const turn = (from: number) =>
            Array.from({ length: 5 }, (_, call) => search(`c${from + call}`, `q${index}`));
          return ask(agent([turn(0), turn(5), turn(10), turn(15)], { tools: shared }));
        }),
      ),
    );
    const spans = checked(takeSpans(), 1_000);
    for (const [index, runId] of runIds.entries()) {
      const own = spans.filter(({ attributes }) => attributes["trustabl.run_id"] === runId);
      expect(steps(own)).toEqual(Array.from({ length: 20 }, (_, step) => [step, step + 1]));
      for (const [step, { attributes }] of own.entries()) {
        expect(attributes["gen_ai.tool.call.id"]).toBe(`c${step}`);
        expect(attributes["trustabl.tool.input_fp"]).toBe(canonicalFp({ q: `q${index}` }));
        expect(attributes["trustabl.tool.output_fp"]).toBe(canonicalFp({ found: `#q${index}-c${step}#` }));
      }
    }
  }, 60_000);
});

describe("how a run ended", () => {
  const reasonOf = async (main: Parameters<typeof conversation>[0], maxLlmCalls?: number) => {
    const say = await conversation(main);
    await inRun(() => say(undefined, { maxLlmCalls: maxLlmCalls ?? 500 }), { exitReason: exitReasonOf });
    return labelsOf(root(takeSpans()))["trustabl.exit_reason"];
  };

  it("is max_steps when the cap on calls of the model stopped it", async () => {
    expect(await reasonOf(agent([[search("c1")], [search("c2")]], { tools: tools() }), 1)).toBe("max_steps");
  });

  it("is final_answer when the cap was just enough", async () => {
    expect(await reasonOf(agent([[search("c1")]], { tools: tools() }), 2)).toBe("final_answer");
  });

  it.each(["a tool", "the model, for the second time", "the model, in the middle of its answer"])(
    "is error when it was aborted during the work of %s, which ADK throws at nobody",
    async (moment) => {
      const controller = new AbortController();
      class AbortedModel extends ScriptedModel {
        override async *generateContentAsync(...request: Parameters<ScriptedModel["generateContentAsync"]>) {
          const second = this.requests.length === 1;
          if (second && moment === "the model, for the second time") controller.abort();
          for await (const response of super.generateContentAsync(...request)) {
            yield response;
            if (second) controller.abort();
          }
        }
      }
      const aborting = searchTool(() => {
        if (moment === "a tool") controller.abort();
        return {};
      });
      const main = agent([], { model: new AbortedModel([search("c1")]), tools: labelTools([aborting]) });
      const say = await conversation(main);
      const streaming = { streamingMode: StreamingMode.SSE };
      await inRun(() => say(undefined, streaming, controller.signal), { exitReason: exitReasonOf });
      expect(labelsOf(root(takeSpans()))["trustabl.exit_reason"]).toBe("error");
    },
  );

  it("is final_answer, as of any run that was not stopped, when it waits for an approval", async () => {
    const waiting = labelTools([searchTool(undefined, true)]);
    expect(await reasonOf(agent([[search("c1")]], { tools: waiting }))).toBe("final_answer");
  });

  it("is error when the model failed, which ADK throws at nobody", async () => {
    class FailingModel extends ScriptedModel {
      // biome-ignore lint/correctness/useYield: it fails before
      override async *generateContentAsync(): AsyncGenerator<LlmResponse, void> {
        throw new Error("overloaded");
      }
    }
    expect(await reasonOf(agent([], { model: new FailingModel() }))).toBe("error");
  });
});
