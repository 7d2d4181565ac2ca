/** A model that plays a script: no network, the same answers every time. */
import { type BaseModelConfig, Model, type ModelStreamEvent } from "@strands-agents/sdk";

// biome-ignore lint/suspicious/noExplicitAny: what the framework sends, whose types are not what is tested
type Any = any;

/** A call: its id, the tool and the arguments. */
export type Call = readonly [id: string, tool: string, input: object];

/** What the model answers in one step: tool calls, or the final text. */
export type Answer = readonly Call[] | string;

export const call = (id: string, tool: string, input: object = { q: "same" }): Call => [id, tool, input];

export class ScriptedModel extends Model {
  readonly #script: readonly Answer[];
  #step = 0;

  constructor(script: readonly Answer[]) {
    super();
    this.#script = script;
  }

  updateConfig(): void {}

  getConfig(): BaseModelConfig {
    return { modelId: "scripted" };
  }

  async *stream(): AsyncIterable<ModelStreamEvent> {
    const answer = this.#script[this.#step++] ?? "done";
    yield { type: "modelMessageStartEvent", role: "assistant" };
    if (typeof answer === "string") {
      yield { type: "modelContentBlockStartEvent" };
      yield { type: "modelContentBlockDeltaEvent", delta: { type: "textDelta", text: answer } };
      yield { type: "modelContentBlockStopEvent" };
    } else {
      for (const [toolUseId, name, input] of answer) {
        yield { type: "modelContentBlockStartEvent", start: { type: "toolUseStart", name, toolUseId } };
        const delta = { type: "toolUseInputDelta", input: JSON.stringify(input) } as const;
        yield { type: "modelContentBlockDeltaEvent", delta };
        yield { type: "modelContentBlockStopEvent" };
      }
    }
    yield { type: "modelMessageStopEvent", stopReason: typeof answer === "string" ? "endTurn" : "toolUse" };
  }
}

/** A model that plays a script and keeps what it was sent. */
export class RecordingModel extends ScriptedModel {
  readonly #requests: Any[] = [];

  override stream(...request: Any[]): AsyncIterable<ModelStreamEvent> {
    this.#requests.push(request);
    return super.stream();
  }

  /** What it was told last of each call. */
  told(): Record<string, unknown> {
    const blocks = this.#requests.at(-1)[0].flatMap(({ content }: Any) => content);
    const results = blocks.filter(({ type }: Any) => type === "toolResultBlock");
    return Object.fromEntries(
      results.map(({ toolUseId, content }: Any) => [toolUseId, content.map(({ text }: Any) => text).join()]),
    );
  }

  /** The schema of each tool that it was sent first. */
  tools(): Record<string, unknown> {
    const { toolSpecs } = this.#requests[0][1];
    return Object.fromEntries(toolSpecs.map(({ name, inputSchema }: Any) => [name, inputSchema]));
  }
}
