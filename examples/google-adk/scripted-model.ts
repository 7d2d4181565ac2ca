/** A model that asks for the calls that it is given, one after the other, and then answers. */
import { BaseLlm, type LlmRequest, type LlmResponse } from "@google/adk";

export class ScriptedModel extends BaseLlm {
  readonly #answer: string;
  readonly #calls: [name: string, args: Record<string, unknown>][];

  constructor(answer: string, ...calls: [name: string, args: Record<string, unknown>][]) {
    super({ model: "scripted" });
    this.#answer = answer;
    this.#calls = calls;
  }

  override async *generateContentAsync(_request: LlmRequest): AsyncGenerator<LlmResponse, void> {
    const call = this.#calls.shift();
    const part =
      call === undefined ? { text: this.#answer } : { functionCall: { name: call[0], args: call[1] } };
    yield { content: { role: "model", parts: [part] } };
  }

  override connect(): never {
    throw new Error("not scripted");
  }
}
