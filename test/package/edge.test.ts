import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { consumer, node, specifier, write } from "./support/consumer.ts";

/** Doors that the README promises to run anywhere, such as `./verify`. */
const ANYWHERE = readFileSync(new URL("../../README.md", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => /^\| `\/.* \| anywhere \|$/.test(line))
  .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`\/(.*?)`/g)])
  .map(([, name]) => (name === "" ? "." : `./${name}`));

/** A door, such as `./verify`, or names of the root door in braces. */
async function bundle(what: string, conditions: string[], external: string[] = []) {
  const code = what.startsWith("{") ? `${what} from "${specifier(".")}"` : `* from "${specifier(what)}"`;
  const entry = write(`entry-${what.replaceAll(/\W/g, "")}.mjs`, `export ${code};`);
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

/** What `program` prints, with the bundle's exports in `door` and nothing in reach but the given globals. */
function inWorker(text: string, globals: string, program: string): string {
  const file = write(
    "edge-run.mjs",
    `import vm from "node:vm";
    const context = vm.createContext(${globals});
    const source = ${JSON.stringify(text)}.replace(/export\\s*\\{([^}]*)\\};?\\s*$/, (_, names) =>
      "globalThis.door={" + names.split(",").map((pair) => pair.split(" as ")).map(([from, to]) => (to ?? from) + ":" + from).join(",") + "}");
    vm.runInContext(source, context);
    const { door } = context;
    ${program}`,
  );
  return node(file);
}

it("the README promises at least the labels, the checks and the adapters anywhere", () => {
  expect(ANYWHERE).toEqual(
    expect.arrayContaining([".", "./verify", "./findings", "./claims", "./ai-sdk", "./mcp"]),
  );
});

describe.each(["worker", "browser", "workerd", "edge-light"])("bundled for %s", (condition) => {
  it.each(ANYWHERE)("%s holds no node: import and no Buffer", async (subpath) => {
    const { text } = await bundle(subpath, [condition, "import"]);
    expect(text).not.toMatch(/["']node:/);
    // As a property of `globalThis` either may be asked for; a bare name would throw where there is none.
    expect(text).not.toMatch(/(?<![.\w$])(?:Buffer\b(?!\s*:)|process\.)/);
  });
});

describe("loaded in a worker, where outside of a request much is forbidden", () => {
  // What workerd refuses in global scope: timers, the network, random values.
  const forbidden = `(() => {
    const forbid = (name) => () => { throw new Error(name + " while loading"); };
    const named = (...names) => Object.fromEntries(names.map((name) => [name, forbid(name)]));
    return {
      TextEncoder,
      crypto: named("getRandomValues", "randomUUID"),
      ...named("fetch", "setTimeout", "setInterval", "setImmediate", "queueMicrotask"),
      Math: Object.create(Math, { random: { value: forbid("Math.random") } }),
    };
  })()`;

  it.each(ANYWHERE)("%s starts nothing and draws no id", async (subpath) => {
    const { text } = await bundle(subpath, ["worker", "import"]);
    expect(Number(inWorker(text, forbidden, "console.log(Object.keys(door).length);"))).toBeGreaterThan(0);
  });

  it("would be told if it did", () => {
    expect(() => inWorker("const a=crypto.getRandomValues(8);export{a as b};", forbidden, "")).toThrow(
      "getRandomValues while loading",
    );
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
    const printed = inWorker(
      text,
      "{ crypto, TextEncoder }",
      `console.log(door.canonicalFp({ from: "SFO", to: "JFK", date: "2026-10-01" }), door.wrapTool({ name: "t" }, () => 7)(), new door.Run().runId.length);`,
    );
    expect(printed).toContain("c1baebf63d8d7587 7 16");
  });

  it("throws errors whose name and code no minifier changes", async () => {
    const { text } = await bundle(".", ["worker", "import"]);
    const printed = inWorker(
      text,
      "{ crypto, TextEncoder }",
      "try { door.canonicalJson(new Map()); } catch ({ name, code }) { console.log(name, code); }",
    );
    expect(printed).toBe("CanonicalizationError not_json\n");
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

  const gzipped = async (entry: string) =>
    gzipSync((await bundle(entry, ["worker", "import"], ["@opentelemetry/api"])).text).length;

  // What it is made of, and why it is no less: docs/decisions/0007-size-of-the-root-door.md.
  it("is small: 18 KB gzipped with its dependencies, the application's OpenTelemetry API aside", async () => {
    expect(await gzipped(".")).toBeLessThan(18 * 1024);
  });

  it("costs what is used of it: the label functions alone are 12 KB", async () => {
    const names = "Run, markToolSpan, markRunEnd, markHandoff, bindAuthority, canonicalFp";
    expect(await gzipped(`{ ${names} }`)).toBeLessThan(12 * 1024);
  });
});
