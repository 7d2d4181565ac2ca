/** Agents with scripted models. */
import {
  type Event,
  FunctionTool,
  InMemoryRunner,
  LlmAgent,
  type LlmAgentConfig,
  type RunConfig,
} from "@google/adk";
import { z } from "zod";
import { type ScriptedCall, ScriptedModel } from "./scripted-model.ts";

export const search = (id: string | undefined, q = "x"): ScriptedCall => ({
  name: "search",
  args: { q },
  ...(id === undefined ? {} : { id }),
});

/** A tool whose result shows which call it was, so that a span that captured it can be matched with the labels on it. */
export const searchTool = (
  execute: (input: { q: string }, callId: string | undefined) => unknown = ({ q }, id) => ({
    found: `#${q}-${id}#`,
  }),
  requireConfirmation = false,
): FunctionTool<typeof parameters> =>
  new FunctionTool({
    name: "search",
    description: "Searches.",
    parameters,
    requireConfirmation,
    execute: (input, context) => execute(input, context?.functionCallId),
  });

const parameters = z.object({ q: z.string() });

export function agent(
  turns: readonly (readonly ScriptedCall[])[],
  config: Partial<LlmAgentConfig> = {},
): LlmAgent {
  return new LlmAgent({
    name: "main",
    description: "An agent.",
    model: new ScriptedModel(...turns),
    ...config,
  });
}

let sessions = 0;

/** A conversation with an agent: each message is a run of ADK. */
export async function conversation(
  withAgent: LlmAgentConfig["subAgents"] extends (infer Agent)[] | undefined ? Agent : never,
): Promise<(parts?: object[], runConfig?: RunConfig, abortSignal?: AbortSignal) => Promise<Event[]>> {
  const runner = new InMemoryRunner({ agent: withAgent, appName: "app" });
  const sessionId = `session-${sessions++}`;
  await runner.sessionService.createSession({ appName: "app", userId: "user", sessionId });
  return async (parts = [{ text: "go" }], runConfig, abortSignal) => {
    const events: Event[] = [];
    const run = runner.runAsync({
      userId: "user",
      sessionId,
      newMessage: { role: "user", parts },
      runConfig,
      abortSignal,
    });
    for await (const event of run) events.push(event);
    return events;
  };
}

/** A conversation of one message. */
export const ask = async (...parameters: Parameters<typeof conversation>): Promise<Event[]> =>
  (await conversation(...parameters))();
