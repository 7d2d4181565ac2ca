import { execFileSync } from "node:child_process";
import { describe, it } from "vitest";
import { REPOSITORY } from "./support/binary.ts";

describe("docs/command-line.md", () => {
  it("says what --help says", () => {
    const script = "scripts/generate-command-line-doc.ts";
    execFileSync(process.execPath, ["--import", "tsx", script, "--check"], {
      cwd: REPOSITORY,
      stdio: "pipe",
    });
  });
});
