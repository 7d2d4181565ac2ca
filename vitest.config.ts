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
      // Whole programs in processes of their own, seconds each: `npm run test:processes`.
      "**/*.process.test.ts",
      "test/findings-clickhouse/**",
      "test/frameworks/**",
      "test/frameworks-large/**",
      "test/load/**",
      "test/package/**",
      "test/runtimes/**",
      "test/soak/**",
    ],
    testTimeout: 20_000,
    // The default leaves one core idle, which is half of a machine of two.
    maxWorkers: "100%",
  },
});
