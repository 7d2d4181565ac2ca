import { TracerProvider } from "@opentelemetry/sdk-trace";
import { generateText } from "ai";
import { generateText as generateText5 } from "ai-5";
import { generateText as generateText6 } from "ai-6";
import { expect, it } from "vitest";
import { Application } from "../ai-sdk/request.ts";
import { sdk5, sdk6, sdk7 } from "../ai-sdk/sdk-versions.ts";

it("the scenarios run on OpenTelemetry SDK 3 and on the packages of this folder", () => {
  expect(new Application().provider).toBeInstanceOf(TracerProvider);
  expect(sdk5.sdk.generateText).toBe(generateText5);
  expect(sdk6.sdk.generateText).toBe(generateText6);
  expect(sdk7.sdk.generateText).toBe(generateText);
});
