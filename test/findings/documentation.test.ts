import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";

const repository = fileURLToPath(new URL("../..", import.meta.url));

describe("docs/findings.md", () => {
  it("says what the rules say", () => {
    const script = "scripts/generate-findings-doc.ts";
    execFileSync(process.execPath, ["--import", "tsx", script, "--check"], {
      cwd: repository,
      stdio: "pipe",
    });
  });
});
