import { defineConfig, mergeConfig } from "vitest/config";
import unit from "./vitest.config.ts";

// Tests that need a minute or more: `npm run test:soak`.
export default mergeConfig(
  { ...unit, test: { ...unit.test, include: undefined, exclude: undefined } },
  defineConfig({ test: { include: ["test/soak/**/*.test.ts"] } }),
);
