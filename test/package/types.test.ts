import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { consumer, root, write } from "./support/consumer.ts";

/** The versions of the API that the package promises to type-check against. */
const API_VERSIONS = ["1-4", "1-5", "1-6", "1-7", "1-8", "1-9", "1-10"];

const program = `
import { type Span, trace } from "@opentelemetry/api";
import { Run, bindAuthority, canonicalFp, canonicalJson, findToolSpan, keys, markHandoff, markRunEnd, markToolSpan, startRun, withRun, wrapTool, type Binding, type LabelSpan } from "agent-reliability-otel-labels";
import { ToolSpanTracker } from "agent-reliability-otel-labels/tracker";

const bindings: Binding[] = [];
const search = wrapTool({ name: "search", sideEffect: "read" }, async (args: { q: string }) => [args.q]);
export async function main(span: Span): Promise<string[]> {
  const usable: LabelSpan = span;
  const run = new Run("id");
  run.markStart(span);
  markToolSpan(span, { args: {}, result: [], attempt: 1, sideEffect: "write", errorClass: "5xx", stepIndex: run.nextStep(), runId: run.runId, name: "t" });
  markToolSpan(trace.getActiveSpan(), { args: {}, result: [], attempt: 1 });
  markHandoff(usable, canonicalFp(canonicalJson({})));
  bindAuthority(span, bindings);
  startRun(span).end("max_steps");
  const labelled: unknown = findToolSpan({ name: keys.TOOL_ATTEMPT });
  const found = await withRun(span, () => search({ q: String(labelled) }), { policies: bindings });
  markRunEnd(span, "final_answer");
  new ToolSpanTracker().onStart(span);
  return found;
}
`;

/** What the compiler says about the program in a project of its own. */
function check(
  folder: string,
  project: { api: string; module: string; resolution: string; type: string },
): string {
  const api = consumer(folder, "node_modules/@opentelemetry/api");
  mkdirSync(join(api, ".."), { recursive: true });
  cpSync(join(root, "node_modules", project.api), api, { recursive: true });
  // A second copy beside the package would be the one that its types see.
  for (const name of ["agent-reliability-otel-labels", "fast-json-stable-stringify", "@noble"]) {
    cpSync(consumer("node_modules", name), consumer(folder, "node_modules", name), { recursive: true });
  }
  write(`${folder}/package.json`, JSON.stringify({ type: project.type }));
  write(`${folder}/main.ts`, program);
  write(
    `${folder}/tsconfig.json`,
    JSON.stringify({
      compilerOptions: {
        target: "es2023",
        lib: ["es2023", "dom"],
        module: project.module,
        moduleResolution: project.resolution,
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
        noEmit: true,
        types: [],
      },
      files: ["main.ts"],
    }),
  );
  try {
    return execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", consumer(folder)], {
      encoding: "utf8",
      stdio: "pipe",
    });
  } catch (error) {
    return String((error as { stdout?: string }).stdout ?? error);
  } finally {
    rmSync(consumer(folder), { recursive: true, force: true });
  }
}

describe.each(API_VERSIONS)("types with @opentelemetry/api %s", (version) => {
  const api = version === "1-9" ? "@opentelemetry/api" : `otel-api-${version}`;

  it.each([
    ["nodenext", "nodenext"],
    ["bundler", "esnext"],
  ])("check under %s module resolution, strictly and with library checks", (resolution, module) => {
    const folder = `types-${version}-${resolution}`;
    expect(check(folder, { api, module, resolution, type: "module" })).toBe("");
  });
});

describe("types for a program that is CommonJS", () => {
  it("check as for an ES module, since Node.js can require the package", () => {
    const project = { module: "nodenext", resolution: "nodenext", type: "commonjs" };
    expect(check("types-commonjs", { api: "@opentelemetry/api", ...project })).toBe("");
  });
});
