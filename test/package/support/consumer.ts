/** Running programs in the consumer's project. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";

export const root = fileURLToPath(new URL("../../..", import.meta.url));
export const consumer = (...path: string[]) => join(inject("consumer"), ...path);
export const installed = (...path: string[]) =>
  consumer("node_modules/agent-reliability-otel-labels", ...path);

export const manifest = () =>
  JSON.parse(readFileSync(installed("package.json"), "utf8")) as {
    exports: Record<string, { types: string; default: string } | string>;
    bin?: Record<string, string>;
    dependencies: Record<string, string>;
  };

/** The subpaths that can be imported: ".", "./verify", ... */
export const subpaths = () => Object.keys(manifest().exports).filter((path) => path !== "./package.json");
export const specifier = (subpath: string) => `agent-reliability-otel-labels${subpath.slice(1)}`;

export function write(name: string, text: string): string {
  const file = consumer(name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

export function node(file: string, ...parameters: string[]): string {
  return execFileSync(process.execPath, [...parameters, file], { cwd: consumer(), encoding: "utf8" });
}
