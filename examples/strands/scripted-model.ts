/** A model that plays a script, so that the example needs no network. */
import { type BaseModelConfig, Model, type ModelStreamEvent } from "@strands-agents/sdk";

/** A tool call: the tool and its arguments. */
export type Call = readonly [tool: string, args: object];

/** Asks for these calls, one list after the other, and then answers. */
export class ScriptedModel extends Model {
  readonly #answer: string;
  readonly #turns: readonly Call[][];
  #turn = 0;

  constructor(answer: string, ...turns: readonly Call[][]) {
    super();
    this.#answer = answer;
    this.#turns = turns;
  }

  updateConfig(): void {}

  getConfig(): BaseModelConfig {
    return { modelId: "scripted" };
  }

  async *stream(): AsyncIterable<ModelStreamEvent> {
    const calls = this.#turns[this.#turn++];
    yield { type: "modelMessageStartEvent", role: "assistant" };
    if (calls === undefined) {
      yield { type: "modelContentBlockStartEvent" };
      yield { type: "modelContentBlockDeltaEvent", delta: { type: "textDelta", text: this.#answer } };
      yield { type: "modelContentBlockStopEvent" };
    }
    for (const [index, [name, args]] of (calls ?? []).entries()) {
      const toolUseId = `call_${this.#turn}_${index}`;
      yield { type: "modelContentBlockStartEvent", start: { type: "toolUseStart", name, toolUseId } };
      const delta = { type: "toolUseInputDelta", input: JSON.stringify(args) } as const;
      yield { type: "modelContentBlockDeltaEvent", delta };
      yield { type: "modelContentBlockStopEvent" };
    }
    yield { type: "modelMessageStopEvent", stopReason: calls === undefined ? "endTurn" : "toolUse" };
  }
}
