import { defineConfig, mergeConfig } from "vitest/config";
import unit from "./vitest.config.ts";

// Tests that start whole programs (the command line, other test runners, the examples): `npm run test:processes`.
export default mergeConfig(
  { ...unit, test: { ...unit.test, include: undefined, exclude: undefined } },
  defineConfig({ test: { include: ["test/**/*.process.test.ts"], exclude: ["**/node_modules/**"] } }),
);
