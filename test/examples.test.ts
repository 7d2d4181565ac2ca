import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const run = async (example: string) =>
  promisify(execFile)(process.execPath, ["--import", "tsx", `examples/${example}/main.ts`], {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1", OTEL_EXPORTER_OTLP_ENDPOINT: "" },
  });
const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
/** Run ids are random. */
const sameIds = (text: string) => text.replaceAll(/(trustabl\.run_id\s+)[0-9a-f]{16}/g, "$1<id>");

describe("the README", () => {
  const readme = read("README.md");

  it("shows the code of the first example, which is type-checked and run", () => {
    const [, region] =
      /\/\/ #region readme\n([\s\S]*?)\/\/ #endregion/.exec(read("examples/first-labels/main.ts")) ?? [];
    expect(region).toBeDefined();
    expect(readme).toContain(`\`\`\`ts\n${region}\`\`\``);
  });

  it("shows the labels that the first example really prints", async () => {
    const { stdout } = await run("first-labels");
    expect(sameIds(readme)).toContain(`\`\`\`text\n${sameIds(stdout)}\`\`\``);
  });
});
