import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { consumer, installed, manifest, node, root, specifier, subpaths, write } from "./support/consumer.ts";

const bin = (name: string) => join(root, "node_modules/.bin", name);
/** Subpaths that need what the application has installed. */
const NEEDS_A_TEST_RUNNER = ["./testing/vitest"];

describe("the packed tarball", () => {
  it("satisfies publint --strict", () => {
    execFileSync(bin("publint"), [inject("tarball"), "--strict"], { stdio: "pipe" });
  });

  it("satisfies attw for packages that are ESM only", () => {
    execFileSync(bin("attw"), [inject("tarball"), "--profile", "esm-only", "--no-emoji"], { stdio: "pipe" });
  });

  it("holds the build, the licence and the documents, and no source, test or machine path", () => {
    const files = readdirSync(installed(), { recursive: true, encoding: "utf8" });
    for (const wanted of ["LICENSE", "README.md", "CHANGELOG.md", "dist/index.js", "dist/index.d.ts"]) {
      expect(files).toContain(wanted);
    }
    expect(
      files.filter((file) => /(?:^|\/)(?:src|test|bench|examples|node_modules)(?:\/|$)/.test(file)),
    ).toEqual([]);
    for (const file of files.filter((name) => /\.(?:js|ts|json)$/.test(name))) {
      expect(readFileSync(installed(file), "utf8")).not.toContain(root.replace(/\/$/, ""));
    }
  });

  it("has exports that are there", () => {
    for (const entry of Object.values(manifest().exports)) {
      for (const path of typeof entry === "string" ? [entry] : [entry.types, entry.default]) {
        expect(existsSync(installed(path)), path).toBe(true);
      }
    }
  });

  it("depends on two packages at run time", () => {
    expect(Object.keys(manifest().dependencies).toSorted()).toEqual([
      "@noble/hashes",
      "fast-json-stable-stringify",
    ]);
  });

  it("can be imported by an ES module, each subpath", () => {
    const paths = subpaths().filter((path) => !NEEDS_A_TEST_RUNNER.includes(path));
    const file = write(
      "imports.mjs",
      `for (const path of ${JSON.stringify(paths.map(specifier))}) {
        const exported = Object.keys(await import(path));
        if (exported.length === 0) throw new Error(path + " exports nothing");
      }
      console.log("all imported");`,
    );
    expect(node(file)).toContain("all imported");
  });

  it("can be required by a CommonJS program, each subpath", () => {
    const paths = subpaths().filter((path) => !NEEDS_A_TEST_RUNNER.includes(path));
    const file = write(
      "requires.cjs",
      `const { canonicalFp } = require("agent-reliability-otel-labels");
      for (const path of ${JSON.stringify(paths.map(specifier))}) require(path);
      console.log(canonicalFp({ from: "SFO", to: "JFK", date: "2026-10-01" }));`,
    );
    expect(node(file, "--no-warnings")).toContain("c1baebf63d8d7587");
  });

  it("keeps its inner files private", () => {
    const file = write(
      "private.mjs",
      `import("agent-reliability-otel-labels/dist/labels/write.js").then(
        () => console.log("reached"), (error) => console.log(error.code));`,
    );
    expect(node(file)).toContain("ERR_PACKAGE_PATH_NOT_EXPORTED");
  });

  it("works where code generation from strings is forbidden", () => {
    const file = write(
      "no-eval.mjs",
      `import { canonicalFp, wrapTool } from "agent-reliability-otel-labels";
      console.log(canonicalFp([]), wrapTool({ name: "t" }, () => 1)());`,
    );
    expect(node(file, "--disallow-code-generation-from-strings")).toContain("4f53cda18c2baa0c 1");
  });

  it("exports from its root door what is documented, and no more", async () => {
    const { default: names } = (await import(installed("dist/index.js")).then((door) => ({
      default: Object.keys(door),
    }))) as { default: string[] };
    expect(names.toSorted()).toEqual([
      "CanonicalizationError",
      "RequiredPolicyError",
      "Run",
      "TrustablError",
      "bindAuthority",
      "canonicalFp",
      "canonicalJson",
      "currentRun",
      "findToolSpan",
      "keys",
      "markHandoff",
      "markRunEnd",
      "markToolSpan",
      "startRun",
      "stripVolatile",
      "withRun",
      "wrapTool",
    ]);
  });

  it("has a place of its own to install into", () => {
    expect(existsSync(consumer("node_modules"))).toBe(true);
  });
});
