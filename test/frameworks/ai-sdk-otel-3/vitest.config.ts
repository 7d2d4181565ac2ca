import { fileURLToPath } from "node:url";
import { mergeConfig } from "vitest/config";
import { suiteConfig } from "../suite-config.ts";

// The scenarios are those of ../ai-sdk, on the packages of this folder.
export default mergeConfig(suiteConfig(import.meta.url, { env: { ROW_ENDING: ", OpenTelemetry SDK 3" } }), {
  resolve: {
    dedupe: ["ai", "ai-5", "ai-6", "@ai-sdk/otel", "zod"],
    alias: {
      "@opentelemetry/sdk-trace-node": fileURLToPath(new URL("sdk-trace-node.ts", import.meta.url)),
    },
  },
});
