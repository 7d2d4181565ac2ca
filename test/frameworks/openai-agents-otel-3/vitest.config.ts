import { fileURLToPath } from "node:url";
import { mergeConfig } from "vitest/config";
import { suiteConfig } from "../suite-config.ts";

// The scenarios are those of ../openai-agents, on the packages of this folder. The SDK traces nothing when NODE_ENV is
// "test", which vitest sets.
export default mergeConfig(
  suiteConfig(import.meta.url, {
    env: { NODE_ENV: "development", ROW_ENDING: ", OpenTelemetry SDK 3" },
  }),
  {
    resolve: {
      dedupe: ["zod", "@arizeai/openinference-instrumentation-openai-agents"],
      alias: {
        "@opentelemetry/sdk-trace-base": fileURLToPath(new URL("sdk-trace-base.ts", import.meta.url)),
      },
    },
  },
);
