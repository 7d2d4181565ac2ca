/** Genkit with scripted models: each asks for the calls that it is given, one list after the other, and then answers. */
import type { Part } from "genkit";
import { type GenkitBeta, genkit } from "genkit/beta";

// Interrupts, with which approvals are made, are part of its beta.
export const ai: GenkitBeta = genkit({});

export interface ScriptedCall {
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly ref: string;
}

let models = 0;

/** The name of a model that follows this script. */
export function scripted(...turns: readonly (readonly ScriptedCall[])[]): string {
  const name = `scripted-${models++}`;
  const script = [...turns];
  ai.defineModel({ name, supports: { tools: true, multiturn: true } }, async (_request, sendChunk) => {
    const calls = script.shift();
    const content: Part[] = calls?.map((toolRequest) => ({ toolRequest: { ...toolRequest } })) ?? [
      { text: "done" },
    ];
    sendChunk?.({ content });
    return { message: { role: "model", content }, finishReason: "stop" };
  });
  return name;
}
