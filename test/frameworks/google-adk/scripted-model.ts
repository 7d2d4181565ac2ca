/** A model that asks for the calls that it is given, one list after the other, and then answers: nothing leaves the process. */
import { BaseLlm, type LlmRequest, type LlmResponse } from "@google/adk";

interface FunctionDeclaration {
  readonly name: string;
  readonly parameters: unknown;
}

export interface ScriptedCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly id?: string;
}

export class ScriptedModel extends BaseLlm {
  readonly #turns: readonly (readonly ScriptedCall[])[];
  /** What it was sent, each time. */
  readonly requests: LlmRequest[] = [];
  #turn = 0;

  constructor(...turns: readonly (readonly ScriptedCall[])[]) {
    super({ model: "scripted" });
    this.#turns = turns;
  }

  override async *generateContentAsync(
    request: LlmRequest,
    stream = false,
  ): AsyncGenerator<LlmResponse, void> {
    this.requests.push(structuredClone({ ...request, toolsDict: {}, liveConnectConfig: {} }));
    const calls = this.#turns[this.#turn++];
    if (calls !== undefined) {
      const parts = calls.map((call) => ({ functionCall: { ...call } }));
      yield { content: { role: "model", parts } };
      return;
    }
    if (stream) yield { content: { role: "model", parts: [{ text: "do" }] }, partial: true };
    yield { content: { role: "model", parts: [{ text: "done" }] } };
  }

  /** What it was told last of each call: the function's response. */
  told(): Record<string, unknown> {
    const parts = this.requests.at(-1)?.contents.flatMap(({ parts = [] }) => parts) ?? [];
    return Object.fromEntries(
      parts.flatMap(({ functionResponse: found }) =>
        found === undefined ? [] : [[found.id, found.response]],
      ),
    );
  }

  /** The schema of each tool that it was sent first. */
  tools(): Record<string, unknown> {
    const tools = (this.requests[0]?.config?.tools ?? []) as {
      functionDeclarations?: FunctionDeclaration[];
    }[];
    return Object.fromEntries(
      tools.flatMap(({ functionDeclarations = [] }) =>
        functionDeclarations.map(({ name, parameters }) => [name, parameters]),
      ),
    );
  }

  override connect(): never {
    throw new Error("not scripted");
  }
}
