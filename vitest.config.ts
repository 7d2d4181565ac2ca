import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

export default defineConfig({
  resolve: {
    // Tests run on the source; the packed tarball has tests of its own under test/package.
    alias: { "#sha256": source("fingerprint/sha256/node.ts") },
  },
  test: {
    reporters: ["default", "./scripts/closing-line-reporter.ts"],
    include: ["test/**/*.test.ts"],
    exclude: [
      "**/node_modules/**",
      "test/findings-clickhouse/**",
      "test/frameworks/**",
      "test/frameworks-large/**",
      "test/package/**",
      "test/soak/**",
    ],
    testTimeout: 20_000,
  },
});
