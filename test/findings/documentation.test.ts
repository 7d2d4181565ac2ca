import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";

const repository = fileURLToPath(new URL("../..", import.meta.url));

describe("documents that are made from the rules", () => {
  it.each(["findings-doc", "grafana-dashboard"])(
    "are what they say: %s",
    (name) => {
      execFileSync(process.execPath, ["--import", "tsx", `scripts/generate-${name}.ts`, "--check"], {
        cwd: repository,
        stdio: "pipe",
      });
    },
    60_000,
  );
});
