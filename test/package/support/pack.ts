/** Builds and packs the package, and unpacks it into a project of its own, once for all package tests. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

const root = fileURLToPath(new URL("../../..", import.meta.url));

declare module "vitest" {
  interface ProvidedContext {
    /** A folder whose node_modules holds the unpacked package and what it needs, and nothing else. */
    consumer: string;
    /** The packed tarball. */
    tarball: string;
  }
}

export default function setup(project: TestProject): () => void {
  // The real path: module resolution follows links, and tests compare paths.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "otel-labels-package-")));
  const run = (command: string, parameters: string[], cwd: string) =>
    execFileSync(command, parameters, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  run("npm", ["run", "--silent", "build"], root);
  const [packed] = JSON.parse(
    run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], root),
  ) as [{ filename: string }];
  const tarball = join(folder, packed.filename);
  const modules = join(folder, "consumer", "node_modules");
  mkdirSync(join(modules, "@opentelemetry"), { recursive: true });
  run("tar", ["-xzf", tarball, "-C", folder], folder);
  renameSync(join(folder, "package"), join(modules, "agent-reliability-otel-labels"));
  for (const dependency of ["fast-json-stable-stringify", "@noble", "@types", "undici-types"]) {
    symlinkSync(join(root, "node_modules", dependency), join(modules, dependency));
  }
  // Copied, not linked: a link would find the other packages of this repository too.
  cpSync(join(root, "node_modules/@opentelemetry/api"), join(modules, "@opentelemetry/api"), {
    recursive: true,
  });
  project.provide("consumer", join(folder, "consumer"));
  project.provide("tarball", tarball);
  return () => rmSync(folder, { recursive: true, force: true });
}
