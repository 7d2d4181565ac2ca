import { OpenInferenceTracingProcessor } from "@arizeai/openinference-instrumentation-openai-agents";
import { TracerProvider } from "@opentelemetry/sdk-trace";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import { expect, it } from "vitest";
import { openInference } from "../openai-agents/open-inference.ts";

it("the scenarios run on OpenTelemetry SDK 3 and on the packages of this folder", () => {
  expect(BasicTracerProvider).toBe(TracerProvider);
  expect(openInference.processors()[0]).toBeInstanceOf(OpenInferenceTracingProcessor);
});
