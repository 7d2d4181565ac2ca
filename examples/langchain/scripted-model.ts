/** A model that asks for these calls, one list after the other, and then answers. No network. */
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";

export type ScriptedCall = readonly [name: string, args: Record<string, unknown>];

export class ScriptedModel extends BaseChatModel {
  readonly #turns: ScriptedCall[][];
  #calls = 0;

  constructor(...turns: ScriptedCall[][]) {
    super({});
    this.#turns = turns;
  }

  override _llmType(): string {
    return "scripted";
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(): Promise<ChatResult> {
    const tool_calls = this.#turns
      .shift()
      ?.map(([name, args]) => ({ name, args, id: `call_${++this.#calls}`, type: "tool_call" as const }));
    const message = new AIMessage(
      tool_calls === undefined ? "You fly with BA117." : { content: "", tool_calls },
    );
    return { generations: [{ text: message.text, message }] };
  }
}
