/** AI SDK 5, 6 and 7 behind one face: what the scenarios need, where the three differ. */
import { OpenTelemetry } from "@ai-sdk/otel";
import type { TracerProvider } from "@opentelemetry/api";
import * as ai7 from "ai";
import { MockLanguageModelV4 } from "ai/test";
import * as ai5 from "ai-5";
import { MockLanguageModelV2 } from "ai-5/test";
import * as ai6 from "ai-6";
import { MockLanguageModelV3 } from "ai-6/test";
import { type AiToolDefinition, labelTelemetry, labelTools } from "../../../src/adapters/ai-sdk.ts";

// The three versions have three sets of types that do not meet; types.ts holds each to the adapter's.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Any = any;

export type Tools = Record<string, Any>;
export type Definitions = Record<string, AiToolDefinition>;

export interface SdkVersion {
  readonly name: string;
  /** Its row in the table of frameworks. */
  readonly row: string | undefined;
  readonly major: 5 | 6 | 7;
  readonly sdk: Any;
  readonly Model: Any;
  /** The tools as the application hands them over. */
  label(tools: Tools, definitions?: Definitions): Tools;
  /** The telemetry options of a call. */
  telemetry(provider: TracerProvider, definitions?: Definitions): object;
}

// The suite runs on more than one line of OpenTelemetry's SDK.
const rowOf = (name: string) => `${name}${process.env.ROW_ENDING ?? ""}`;

const experimental = (provider: TracerProvider) => ({
  experimental_telemetry: { isEnabled: true, tracer: provider.getTracer("ai") },
});
const openTelemetry = (provider: TracerProvider) =>
  new OpenTelemetry({ tracer: provider.getTracer("gen_ai") });

export const sdk5: SdkVersion = {
  name: "AI SDK 5",
  row: rowOf("AI SDK 5"),
  major: 5,
  sdk: ai5,
  Model: MockLanguageModelV2,
  label: labelTools,
  telemetry: experimental,
};

export const sdk6: SdkVersion = {
  name: "AI SDK 6",
  row: rowOf("AI SDK 6"),
  major: 6,
  sdk: ai6,
  Model: MockLanguageModelV3,
  label: labelTools,
  telemetry: experimental,
};

export const sdk7: SdkVersion = {
  name: "AI SDK 7",
  row: rowOf("AI SDK 7"),
  major: 7,
  sdk: ai7,
  Model: MockLanguageModelV4,
  label: labelTools,
  telemetry: (provider) => ({ telemetry: { integrations: [openTelemetry(provider)] } }),
};

export const sdk7ByTelemetry: SdkVersion = {
  ...sdk7,
  name: "AI SDK 7, labelled by its telemetry",
  row: rowOf("AI SDK 7, labelled by its telemetry"),
  label: (tools) => tools,
  telemetry: (provider, definitions) => ({
    telemetry: { integrations: [labelTelemetry(definitions), openTelemetry(provider)] },
  }),
};

export const sdk7ByBoth: SdkVersion = {
  ...sdk7ByTelemetry,
  name: "AI SDK 7, wrapped and labelled by its telemetry",
  row: undefined,
  label: labelTools,
  telemetry: (provider) => sdk7ByTelemetry.telemetry(provider, {}),
};
