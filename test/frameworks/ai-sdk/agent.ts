/** The agent of the scenarios, and its tools. */
import { z } from "zod";
import { type ScenarioId, scenario } from "../scenario.ts";
import type { Application } from "./request.ts";
import { type Answer, scriptedModel } from "./scripted-model.ts";
import {
  type Definitions,
  type SdkVersion,
  sdk5,
  sdk6,
  sdk7,
  sdk7ByBoth,
  sdk7ByTelemetry,
  type Tools,
} from "./sdk-versions.ts";

// biome-ignore lint/suspicious/noExplicitAny: options and results of three versions of the SDK
export type Any = any;

export const inputSchema = z.object({ q: z.string() });
export const definitions: Definitions = {
  search: { sideEffect: "read", isEmpty: (found: Any) => found.length === 0 },
  book: {
    sideEffect: "irreversible",
    errorClass: (_error, result: Any) => (result?.full ? "4xx" : undefined),
  },
};
export const only = (...names: string[]): Definitions =>
  Object.fromEntries(Object.entries(definitions).filter(([name]) => names.includes(name)));

export const tools = {
  search: { inputSchema, execute: async ({ q }: { q: string }) => [`${q} found`] },
  book: { inputSchema, execute: async ({ q }: { q: string }) => ({ full: q === "full" }) },
};

/** A run of the agent in one request. */
export interface AgentOptions extends Record<string, unknown> {
  readonly script: readonly Answer[];
  readonly tools: Tools;
  readonly definitions?: Definitions;
  readonly streaming?: boolean;
  readonly maxSteps?: number;
}

const optionsOf = (version: SdkVersion, application: Application, options: AgentOptions) => {
  const { script, tools: set, definitions: declared, streaming: _, maxSteps = 8, ...others } = options;
  return {
    model: scriptedModel(version, script),
    ...(others.messages === undefined ? { prompt: "go" } : {}),
    tools: version.label(set, declared),
    stopWhen: (version.sdk.stepCountIs ?? version.sdk.isStepCount)(maxSteps),
    ...version.telemetry(application.provider, declared),
    ...others,
  };
};

export async function runAgent(
  version: SdkVersion,
  application: Application,
  options: AgentOptions,
): Promise<Any> {
  const settings = optionsOf(version, application, options);
  if (options.streaming !== true) return await version.sdk.generateText(settings);
  const stream = version.sdk.streamText(settings);
  await stream.consumeStream();
  return {
    finishReason: await stream.finishReason,
    steps: await stream.steps,
    content: await stream.content,
    response: await stream.response,
  };
}

const versions = [sdk5, sdk6, sdk7, sdk7ByTelemetry, sdk7ByBoth];

export interface Mode {
  readonly version: SdkVersion;
  readonly title: string;
  /** Answers a request of the application. */
  answer(application: Application, options: AgentOptions): Promise<Any>;
  readonly streaming: boolean;
  /** Options of a test that shows these scenarios. */
  shows(...ids: ScenarioId[]): object;
}

/** Every version and every way of labelling, with `generateText` and with `streamText`. */
export const modes: readonly Mode[] = versions.flatMap((version) =>
  [false, true].map((streaming) => ({
    version,
    title: `${version.name}, ${streaming ? "streamed" : "generated"}`,
    streaming,
    shows: (...ids) => (version.row === undefined ? {} : scenario(version.row, ids)),
    answer: (application, options) =>
      application.request(() => runAgent(version, application, { streaming, ...options })),
  })),
);
