/** Agents with scripted models: the calls that the model asks for are given, and nothing leaves the process. */
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { createAgent, tool } from "langchain";
import { z } from "zod";

export interface ScriptedCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly id: string;
}

/** A model that asks for these calls, one list after the other, and then answers. */
export const scripted = (...turns: ScriptedCall[][]): BaseChatModel => new ScriptedModel(turns);

// LangChain has a fake model of its own, but not from its first 1.x on.
class ScriptedModel extends BaseChatModel {
  readonly #turns: ScriptedCall[][];

  constructor(turns: readonly ScriptedCall[][]) {
    super({});
    this.#turns = [...turns];
  }

  override _llmType(): string {
    return "scripted";
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(): Promise<ChatResult> {
    const calls = this.#turns.shift();
    const message =
      calls === undefined
        ? new AIMessage("done")
        : new AIMessage({ content: "", tool_calls: calls.map((call) => ({ ...call, type: "tool_call" })) });
    return { generations: [{ text: message.text, message }] };
  }
}

export const search = (id: string, q = "x"): ScriptedCall => ({ name: "search", args: { q }, id });

/** Its result shows which call it was: a span that captured it can be matched with the labels on it. */
export const searchTool = tool(async ({ q }, config) => `#${q}-${config.toolCall?.id}#`, {
  name: "search",
  description: "Searches.",
  schema: z.object({ q: z.string() }),
});

export const question = { messages: [{ role: "user" as const, content: "go" }] };

export { createAgent, tool, z };
