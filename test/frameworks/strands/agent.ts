/** The agents of the scenarios, and their tools. */
import { trace } from "@opentelemetry/api";
import { Agent, tool } from "@strands-agents/sdk";
import { z } from "zod";
import type { Application } from "../application.ts";
import { type Answer, ScriptedModel } from "./scripted-model.ts";

// biome-ignore lint/suspicious/noExplicitAny: options and results of the framework, whose types are not what is tested
export type Any = any;

export const ROW = "Strands 1.19";

/** Tells Strands to write the content of calls as attributes too, which the verifier compares fingerprints with. */
export const NEWEST_CONVENTIONS = "gen_ai_latest_experimental";

const inputSchema = z.object({ q: z.string() });

/** A tool that asks for one text. */
export const toolOf = (name: string, callback: (input: { q: string }, context: Any) => Any) =>
  tool({ name, description: name, inputSchema, callback });

export const search = toolOf("search", async ({ q }) => ({ found: q }));

/** Strands asks the global tracer provider when an agent is made. */
export function use({ provider }: Application): void {
  trace.disable();
  trace.setGlobalTracerProvider(provider);
}

export const agentOf = (script: readonly Answer[], options: Any = {}): Agent =>
  new Agent({ model: new ScriptedModel(script), printer: false, ...options });
