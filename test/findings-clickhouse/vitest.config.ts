import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: { alias: { "#sha256": file("../../src/fingerprint/sha256/node.ts") } },
  test: {
    root: file("."),
    include: ["*.test.ts"],
    reporters: ["default", file("../../scripts/closing-line-reporter.ts")],
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
