/** A model that asks for the calls that it is given, one list after the other, and then answers: nothing leaves the process. */
import { BaseLlm, type LlmRequest, type LlmResponse } from "@google/adk";

export interface ScriptedCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly id?: string;
}

export class ScriptedModel extends BaseLlm {
  readonly #turns: readonly (readonly ScriptedCall[])[];
  #turn = 0;

  constructor(...turns: readonly (readonly ScriptedCall[])[]) {
    super({ model: "scripted" });
    this.#turns = turns;
  }

  override async *generateContentAsync(
    _request: LlmRequest,
    stream = false,
  ): AsyncGenerator<LlmResponse, void> {
    const calls = this.#turns[this.#turn++];
    if (calls !== undefined) {
      const parts = calls.map((call) => ({ functionCall: { ...call } }));
      yield { content: { role: "model", parts } };
      return;
    }
    if (stream) yield { content: { role: "model", parts: [{ text: "do" }] }, partial: true };
    yield { content: { role: "model", parts: [{ text: "done" }] } };
  }

  override connect(): never {
    throw new Error("not scripted");
  }
}
