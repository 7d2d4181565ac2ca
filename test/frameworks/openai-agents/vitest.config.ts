import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      "#sha256": here("../../../src/fingerprint/sha256/node.ts"),
      // One API for everybody: the source above would otherwise take the root's own copy.
      "@opentelemetry/api": here("./node_modules/@opentelemetry/api"),
      "@opentelemetry/context-async-hooks": here("./node_modules/@opentelemetry/context-async-hooks"),
    },
  },
  test: {
    include: ["*.test.ts"],
    root: here("."),
    // The SDK traces nothing when this is "test", which vitest sets.
    env: { NODE_ENV: "development" },
    reporters: ["default", here("../../../scripts/closing-line-reporter.ts")],
  },
});
