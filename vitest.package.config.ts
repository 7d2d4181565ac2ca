import { defineConfig } from "vitest/config";

// Tests of the packed tarball, as a stranger would install it: `npm run test:package`.
export default defineConfig({
  test: {
    reporters: ["default", "./scripts/closing-line-reporter.ts"],
    include: ["test/package/**/*.test.ts"],
    globalSetup: ["test/package/support/pack.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
