import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { consumer, node, specifier, write } from "./support/consumer.ts";

/** Doors that promise to run anywhere. */
const ANYWHERE = [".", "./tracker", "./errors", "./verify"];

async function bundle(subpath: string, conditions: string[], external: string[] = []) {
  const entry = write(`entry-${subpath.replaceAll(/\W/g, "")}.mjs`, `export * from "${specifier(subpath)}";`);
  const result = await build({
    entryPoints: [entry],
    absWorkingDir: consumer(),
    bundle: true,
    format: "esm",
    minify: true,
    // "neutral" knows no Node.js modules: an import of one is an error.
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions,
    external,
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  return { text: result.outputFiles[0]?.text ?? "", inputs: Object.keys(result.metafile.inputs) };
}

describe.each(["worker", "browser", "workerd", "edge-light"])("bundled for %s", (condition) => {
  it.each(ANYWHERE)("%s holds no node: import and no Buffer", async (subpath) => {
    const { text } = await bundle(subpath, [condition, "import"]);
    expect(text).not.toMatch(/["']node:/);
    // As a property of `globalThis` either may be asked for; a bare name would throw where there is none.
    expect(text).not.toMatch(/(?<![.\w$])(?:Buffer\b(?!\s*:)|process\.)/);
  });
});

describe("the root door", () => {
  it("takes node:crypto on Node.js and the portable SHA-256 elsewhere", async () => {
    const onNode = await bundle(".", ["node", "import"], ["node:crypto"]);
    const elsewhere = await bundle(".", ["import"]);
    expect(onNode.text).toContain("node:crypto");
    expect(elsewhere.inputs.some((input) => input.includes("@noble/hashes"))).toBe(true);
    expect(onNode.inputs.some((input) => input.includes("@noble/hashes"))).toBe(false);
  });

  it("gives the same fingerprint from the edge bundle, with nothing of Node.js in reach", async () => {
    const { text } = await bundle(".", ["worker", "import"]);
    const file = write(
      "edge-run.mjs",
      `import vm from "node:vm";
      const context = vm.createContext({ crypto, TextEncoder });
      const source = ${JSON.stringify(text)}.replace(/export\\s*\\{([^}]*)\\};?\\s*$/, (_, names) =>
        "globalThis.door={" + names.split(",").map((pair) => pair.split(" as ")).map(([from, to]) => (to ?? from) + ":" + from).join(",") + "}");
      vm.runInContext(source, context);
      const { door } = context;
      console.log(door.canonicalFp({ from: "SFO", to: "JFK", date: "2026-10-01" }), door.wrapTool({ name: "t" }, () => 7)(), new door.Run().runId.length);`,
    );
    expect(node(file)).toContain("c1baebf63d8d7587 7 16");
  });

  it("bundles the OpenTelemetry API from the application and no framework", async () => {
    const { inputs } = await bundle(".", ["worker", "import"]);
    const packages = new Set(
      inputs.flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []),
    );
    expect([...packages].toSorted()).toEqual([
      "@noble/hashes",
      "@opentelemetry/api",
      "agent-reliability-otel-labels",
      "fast-json-stable-stringify",
    ]);
  });

  it("names no framework's package and exports no framework's name", async () => {
    const { text } = await bundle(".", ["worker", "import"]);
    expect(text).not.toMatch(
      /@openai|@anthropic|@langchain|@mastra|@google\/adk|@strands|@modelcontextprotocol|@arizeai|@traceloop|@ai-sdk/,
    );
  });

  // A sixth of it is the table of conventions, with a row for each instrumentation, and messages.
  it("is small: 17 KB gzipped with its dependencies, the application's OpenTelemetry API aside", async () => {
    const { text } = await bundle(".", ["worker", "import"], ["@opentelemetry/api"]);
    expect(gzipSync(text).length).toBeLessThan(17 * 1024);
  });
});
