import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["*.test.ts"],
    globalSetup: ["support/install.ts"],
    reporters: ["default", "../../scripts/closing-line-reporter.ts", "./support/results-reporter.ts"],
    // The files share what the compilers made, and each program is a process or several.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
