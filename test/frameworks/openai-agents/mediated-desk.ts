/** The triage agent on one version of the SDK: its runs, a person's answers, and what the model was told. */
import * as newest from "@openai/agents";
import * as oldest from "agents-0-3-8";
import * as middle from "agents-0-13-5";
import { approveCall, labelRunner, mediatedTool } from "../../../src/adapters/openai-agents.ts";
import { type TriageDesk, triageDesk } from "../triage-desk.ts";
import { calls, says, scriptedModel } from "./scripted-model.ts";
import { type Agents, asRun, exported, labelsOf } from "./traced.ts";

export const versions: readonly (readonly [version: string, agents: Agents])[] = [
  ["0.20", newest],
  ["0.13", middle as unknown as Agents],
  ["0.3.8", oldest as unknown as Agents],
];

// biome-ignore lint/suspicious/noExplicitAny: results, states and items of three versions of the SDK
export type Any = any;

type Items = ReturnType<typeof calls>[];

export const commentCall = (callId: string, args: object | string) => calls("add_comment", args, callId);

export const NEEDS_REVIEW = "Not run: the call needs a review.";
export const MISMATCH = "Not run: the claim does not match the arguments.";

/** The error classes of the comments' spans, of a run that passes the verifier. */
export const errorClasses = async (): Promise<unknown[]> =>
  (await exported()).tools("add_comment").map((span) => labelsOf(span)["trustabl.tool.error_class"]);

/** A scripted model that keeps what it was asked. */
export function recordingModel(agents: Agents, ...steps: Items[]) {
  const model = scriptedModel(agents, ...steps, [says("done")]);
  const requests: Any[] = [];
  const { getResponse, getStreamedResponse } = model;
  return Object.assign(model, {
    requests,
    getResponse: (request: Any) => {
      requests.push(structuredCloneOf(request));
      return getResponse.call(model, request);
    },
    getStreamedResponse: (request: Any) => {
      requests.push(structuredCloneOf(request));
      return getStreamedResponse.call(model, request);
    },
    /** What the model has read of each call. */
    told: (): Record<string, string> =>
      Object.fromEntries(
        requests
          .flatMap(({ input }) => (Array.isArray(input) ? input : []))
          .filter(({ type }) => type === "function_call_result")
          .map(({ callId, output }) => [callId, output?.text ?? output]),
      ),
  });
}

const structuredCloneOf = ({ input, tools }: Any): Any => JSON.parse(JSON.stringify({ input, tools }));

export class Desk {
  readonly #agents: Agents;
  readonly desk: TriageDesk;

  constructor(agents: Agents, desk: TriageDesk = triageDesk()) {
    this.#agents = agents;
    this.desk = desk;
  }

  tool(more: object = {}): Any {
    const { mediated, work } = this.desk;
    return this.#agents.tool({ ...(mediatedTool(mediated, "add_comment", work) as Any), ...more });
  }

  agent(model: object, tools: readonly unknown[] = [this.tool()], more: object = {}): Any {
    return new this.#agents.Agent({
      name: "triage",
      instructions: "look after it",
      model,
      tools,
      ...more,
    } as Any);
  }

  /** An agent that delegates at once, to one that makes these calls. */
  delegating(way: string, items: Items): Any {
    const inner = this.agent(recordingModel(this.#agents, items), [this.tool()], { name: "inner" });
    const [tools, handoffs] =
      way === "handoff"
        ? [[], [inner]]
        : [[inner.asTool({ toolName: "ask_inner", toolDescription: "Asks the inner agent." })], []];
    const delegation =
      way === "handoff"
        ? calls("transfer_to_inner", {}, "outer_1")
        : calls("ask_inner", { input: "go" }, "outer_1");
    return this.agent(recordingModel(this.#agents, [delegation]), tools, { handoffs });
  }

  /** A run of the SDK in a run of the application's. */
  run(agent: Any, input: Any = "go", options: object = {}): Promise<Any> {
    return asRun(() => this.#run(agent, input, options));
  }

  /** A run that waits for a person and goes on, in one run of the application's. */
  conversation(agent: Any, meanwhile: (asked: Any) => unknown): Promise<Any> {
    return asRun(async () => {
      const asked = await this.#run(agent, "go");
      await meanwhile(asked);
      return this.#run(agent, asked.state);
    });
  }

  async #run(agent: Any, input: Any, options: object = {}): Promise<Any> {
    const runner = labelRunner(new this.#agents.Runner(), { ask_inner: {} });
    const result: Any = await runner.run(agent, input, options);
    if ("completed" in result) {
      for await (const _ of result);
      await result.completed;
    }
    return result;
  }

  /** A person's answers to the questions of a run, by call. */
  async answer({ interruptions, state }: Any, agrees: (callId: string) => boolean): Promise<boolean[]> {
    const approved: boolean[] = [];
    for (const item of interruptions) {
      const yes = agrees(item.rawItem.callId);
      if (!yes) state.reject(item);
      approved.push(yes && (await approveCall(this.desk.mediated, state, item)));
    }
    return approved;
  }
}

export const askedIn = ({ interruptions }: Any): string[] =>
  interruptions.map(({ rawItem }: Any) => rawItem.callId);
