import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findInstalled, packageFolder } from "../../../src/cli/doctor/installed.ts";
import { folderWith } from "../support/folder.ts";

const manifest = (version: string, dependencies: Record<string, string> = {}, more: object = {}) =>
  JSON.stringify({ version, dependencies, ...more });
const API = { "@opentelemetry/api": "^1.9.0" };

describe("findInstalled", () => {
  it("finds the one copy, and who uses it", () => {
    const root = folderWith({
      "package.json": manifest("1.0.0", { ...API, tools: "1" }),
      "node_modules/@opentelemetry/api/package.json": manifest("1.9.1"),
      "node_modules/tools/package.json": manifest("1.0.0", {}, { peerDependencies: API }),
    });
    expect(findInstalled(root).apiCopies).toEqual([
      { version: "1.9.1", path: "node_modules/@opentelemetry/api", usedBy: [".", "tools"] },
    ]);
  });

  it("finds copies nested as npm nests them, at any depth", () => {
    const root = folderWith({
      "package.json": manifest("1.0.0", { ...API, a: "1" }),
      "node_modules/@opentelemetry/api/package.json": manifest("1.9.1"),
      "node_modules/a/package.json": manifest("1.0.0", { b: "1" }),
      "node_modules/a/node_modules/b/package.json": manifest("1.0.0", API),
      "node_modules/a/node_modules/b/node_modules/@opentelemetry/api/package.json": manifest("1.10.0"),
    });
    expect(findInstalled(root).apiCopies.map(({ version, usedBy }) => [version, usedBy])).toEqual([
      ["1.9.1", ["."]],
      ["1.10.0", ["b"]],
    ]);
  });

  it("follows links, as pnpm makes them", () => {
    const root = folderWith({
      "package.json": manifest("1.0.0", { a: "1", ...API }),
      "node_modules/.pnpm/a@1/node_modules/a/package.json": manifest("1.0.0", API),
      "node_modules/.pnpm/api@1.8.0/node_modules/@opentelemetry/api/package.json": manifest("1.8.0"),
      "node_modules/.pnpm/api@1.9.1/node_modules/@opentelemetry/api/package.json": manifest("1.9.1"),
      "node_modules/.pnpm/a@1/node_modules/@opentelemetry/.keep": "",
      "node_modules/@opentelemetry/.keep": "",
    });
    const store = join(root, "node_modules/.pnpm");
    symlinkSync(join(store, "a@1/node_modules/a"), join(root, "node_modules/a"));
    symlinkSync(
      join(store, "api@1.8.0/node_modules/@opentelemetry/api"),
      join(store, "a@1/node_modules/@opentelemetry/api"),
    );
    symlinkSync(
      join(store, "api@1.9.1/node_modules/@opentelemetry/api"),
      join(root, "node_modules/@opentelemetry/api"),
    );
    expect(findInstalled(root).apiCopies.map(({ version, usedBy }) => [version, usedBy])).toEqual([
      ["1.8.0", ["a"]],
      ["1.9.1", ["."]],
    ]);
  });

  it("looks into folders above, as in a workspace", () => {
    const root = folderWith({
      "package.json": manifest("1.0.0"),
      "node_modules/@opentelemetry/api/package.json": manifest("1.9.1"),
      "packages/app/package.json": manifest("1.0.0", API),
    });
    expect(findInstalled(join(root, "packages/app")).apiCopies).toEqual([
      expect.objectContaining({ version: "1.9.1", usedBy: ["."] }),
    ]);
  });

  it("survives packages that need each other, that are missing, and that are damaged", () => {
    const root = folderWith({
      "package.json": manifest("1.0.0", { a: "1", missing: "1", damaged: "1", list: "1" }),
      "node_modules/a/package.json": manifest("1.0.0", { b: "1" }),
      "node_modules/b/package.json": manifest("1.0.0", { a: "1" }),
      "node_modules/damaged/package.json": "{",
      "node_modules/list/package.json": "[]",
    });
    expect(findInstalled(root)).toEqual({ apiCopies: [], labelsCopies: [], packages: {} });
  });

  it("finds the copies of this package, and who uses each", () => {
    const labels = "agent-reliability-otel-labels";
    const root = folderWith({
      "package.json": manifest("1.0.0", { [labels]: "1", tools: "1" }),
      [`node_modules/${labels}/package.json`]: manifest("1.1.0"),
      "node_modules/tools/package.json": manifest("1.0.0", { [labels]: "1" }),
      [`node_modules/tools/node_modules/${labels}/package.json`]: manifest("1.0.0"),
    });
    expect(findInstalled(root).labelsCopies).toEqual([
      { version: "1.1.0", path: `node_modules/${labels}`, usedBy: ["."] },
      { version: "1.0.0", path: `node_modules/tools/node_modules/${labels}`, usedBy: ["tools"] },
    ]);
  });

  it("gives the versions of packages that matter by themselves", () => {
    const root = folderWith({
      "package.json": manifest("1.0.0", { ai: "7" }),
      "node_modules/ai/package.json": manifest("7.0.1"),
    });
    expect(findInstalled(root).packages).toEqual({ ai: { version: "7.0.1", path: "node_modules/ai" } });
  });
});

describe("packageFolder", () => {
  it("is the nearest folder with a package.json", () => {
    const root = folderWith({ "package.json": "{}", "src/deep/file.js": "" });
    expect(packageFolder(join(root, "src/deep"))).toBe(root);
    expect(packageFolder(root)).toBe(root);
  });
});
