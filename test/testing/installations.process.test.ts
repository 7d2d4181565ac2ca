import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const project = fileURLToPath(new URL("../..", import.meta.url));
let folder: string;

// The harness in a folder of its own, so that it finds only the packages that a test puts beside it.
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "testing-installations-"));
  buildSync({
    entryPoints: [join(project, "src/testing/index.ts")],
    outfile: join(folder, "harness.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["@opentelemetry/*"],
    alias: { "#sha256": join(project, "src/fingerprint/sha256/node.ts") },
    banner: {
      js: 'import { createRequire as bundled } from "node:module"; const require = bundled(import.meta.url);',
    },
    logLevel: "error",
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every package that the harness looks for. */
const PACKAGES = ["sdk-trace-node", "sdk-trace-base", "sdk-trace", "context-async-hooks"];

/** Records one span with only these packages installed, and answers with what happened. */
function recordWith(packages: readonly string[], before = ""): string {
  const modules = join(folder, "node_modules");
  rmSync(modules, { recursive: true, force: true });
  mkdirSync(join(modules, "@opentelemetry"), { recursive: true });
  for (const name of ["api", ...PACKAGES]) {
    const place = join(modules, "@opentelemetry", name);
    if (name === "api" || packages.includes(name)) {
      symlinkSync(join(project, "node_modules/@opentelemetry", name), place);
    } else {
      // Hides what may be installed further up from the temporary folder.
      mkdirSync(place);
      writeFileSync(join(place, "package.json"), '{ "exports": {} }');
    }
  }
  writeFileSync(
    join(folder, "test.mjs"),
    `import { recordTraces } from "./harness.mjs";
     import { trace } from "@opentelemetry/api";
     ${before}
     try {
       const traces = recordTraces();
       trace.getTracer("test").startActiveSpan("one", (span) => {
         trace.getActiveSpan()?.setAttribute("active", true);
         span.end();
       });
       const [span] = await traces.spans();
       await traces.close();
       console.log("recorded", span.name, JSON.stringify(span.attributes));
     } catch (error) {
       console.log(error.code, error.message);
     }`,
  );
  const { stdout, stderr } = spawnSync(process.execPath, ["test.mjs"], { cwd: folder, encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.trim();
}

describe("what has to be installed", () => {
  it("is an SDK, and the error says which", () => {
    expect(recordWith([])).toMatch(/^sdk_missing .*npm install --save-dev @opentelemetry\/sdk-trace-node/);
  });

  it("is a context manager beside an SDK that brings none", () => {
    expect(recordWith(["sdk-trace-base"])).toMatch(
      /^context_manager_missing .*npm install --save-dev @opentelemetry\/context-async-hooks/,
    );
    expect(recordWith(["sdk-trace-base", "context-async-hooks"])).toBe('recorded one {"active":true}');
    expect(recordWith(["sdk-trace", "context-async-hooks"])).toBe('recorded one {"active":true}');
  });

  it("is no context manager where the application has one of its own", () => {
    const ownManager = `
      import { AsyncLocalStorage } from "node:async_hooks";
      import { context, ROOT_CONTEXT } from "@opentelemetry/api";
      const storage = new AsyncLocalStorage();
      context.setGlobalContextManager({
        active: () => storage.getStore() ?? ROOT_CONTEXT,
        with: (given, fn, self, ...rest) => storage.run(given, () => fn.apply(self, rest)),
        bind: (_given, target) => target,
        enable() { return this; },
        disable() { return this; },
      });`;
    expect(recordWith(["sdk-trace-base"], ownManager)).toBe('recorded one {"active":true}');
  });

  it("is nothing beside the SDK for Node.js, also where its own dependencies are hidden", () => {
    expect(recordWith(["sdk-trace-node"])).toBe('recorded one {"active":true}');
  });
});
