/** The agent of the scenarios, and its tools. */
import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { Observability } from "@mastra/observability";
import { OtelBridge } from "@mastra/otel-bridge";
import { z } from "zod";
import type { Application } from "../application.ts";
import { type Answer, scriptedModel } from "./scripted-model.ts";

// biome-ignore lint/suspicious/noExplicitAny: options and results of the framework, whose types are not what is tested
export type Any = any;

export const ROW = "Mastra 1.71 with the OpenTelemetry bridge";

const inputSchema = z.object({ q: z.string() });

/** A tool that asks for one text. */
export const toolOf = (id: string, execute: (input: { q: string }, context: Any) => unknown, more = {}) =>
  createTool({ id, description: id, inputSchema, execute: execute as Any, ...more });

export const search = toolOf("search", async ({ q }) => ({ found: q }));

export interface AgentOptions extends Record<string, unknown> {
  readonly script: readonly Answer[];
  readonly tools?: Record<string, Any>;
}

/** Mastra's telemetry as an application sets it up. */
export const bridged = ({ provider }: Application): Any =>
  new Observability({
    configs: { default: { serviceName: "test", bridge: new OtelBridge({ tracerProvider: provider }) } },
  });

/** An agent that is not registered anywhere. */
export const agentOf = (id: string, { script, ...options }: AgentOptions): Agent =>
  new Agent({ id, name: id, description: id, instructions: "go", model: scriptedModel(script), ...options });

/** An agent of an application, with everything of Mastra around it. */
export const agentIn = (observability: Any, options: AgentOptions): Any => {
  const agents = { main: agentOf("main", options) };
  return new Mastra({ logger: false, storage: new InMemoryStore(), agents, observability }).getAgent("main");
};
