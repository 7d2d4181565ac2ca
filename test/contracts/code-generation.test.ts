import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "out/contracts-code-generation");
const file = join(folder, "contracts.mjs");

const PROGRAM = `
  import { defineTools, diffRegistries, registryDigest, tool, validateCall } from ${JSON.stringify(file)};
  let generates = false;
  try { new Function("return 1")(); generates = true; } catch {}
  const tools = defineTools({
    rerun_job: {
      description: "Runs a job again.",
      input: {
        type: "object",
        additionalProperties: false,
        required: ["job_id"],
        properties: { job_id: { type: "string", pattern: "^[0-9]{1,12}$", maxLength: 12 } },
      },
    },
  });
  const [good, bad] = ["42", "latest"].map((job_id) => validateCall(tools, { name: "rerun_job", arguments: { job_id } }).ok);
  const ran = await tool(tools.rerun_job, ({ job_id }) => job_id)({ job_id: "42" });
  const refused = await tool(tools.rerun_job, ({ job_id }) => job_id)({ job_id: "latest" }).catch((error) => error.code);
  console.log(JSON.stringify([generates, good, bad, ran, refused, diffRegistries(tools, tools), registryDigest(tools).length]));
`;

describe("contracts", () => {
  let imported: readonly string[];
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    const { metafile } = await build({
      entryPoints: [join(root, "src/contracts/index.ts")],
      outfile: file,
      bundle: true,
      format: "esm",
      platform: "neutral",
      mainFields: ["module", "main"],
      alias: { "#sha256": join(root, "src/fingerprint/sha256/portable.ts") },
      external: ["@opentelemetry/api"],
      logLevel: "error",
      metafile: true,
    });
    imported = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("work where no code may be made from text, as at the edge and under a content security policy", () => {
    const flags = ["--disallow-code-generation-from-strings", "--input-type=module", "--eval", PROGRAM];
    const printed = execFileSync(process.execPath, flags, { cwd: root, encoding: "utf8" });
    expect(JSON.parse(printed)).toEqual([false, true, false, "42", "arguments_refused", [], 64]);
  });

  it("need nothing of Node.js", () => {
    expect([...new Set(imported)]).toEqual(["@opentelemetry/api"]);
  });
});
