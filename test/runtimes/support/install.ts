/**
 * Packs the package and makes the two applications that have it installed, once for all tests. Outside of this
 * repository: bundlers look for a tsconfig.json in the folders above, and would find the one that leads to the source.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { committed, SDKS, sdks } from "./consumers.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the applications. */
    applications: string;
  }
}

const root = fileURLToPath(new URL("../../..", import.meta.url));
const PACKAGE = "agent-reliability-otel-labels";

export default function setup(project: TestProject): () => void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "otel-labels-runtimes-")));
  const run = (command: string, parameters: string[], cwd: string) =>
    execFileSync(command, parameters, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  const [packed] = JSON.parse(
    run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], root),
  ) as [{ filename: string }];
  for (const sdk of sdks) {
    const from = committed(sdk);
    const kept = !process.env.CI && existsSync(`${from}node_modules/.package-lock.json`);
    if (!kept) run("npm", ["ci", "--no-fund", "--no-audit"], from);
    const application = join(folder, SDKS[sdk]);
    cpSync(realpathSync(`${from}node_modules`), join(application, "node_modules"), { recursive: true });
    // What an earlier run installed is not the newest.
    const installed = join(application, "node_modules", PACKAGE);
    rmSync(installed, { recursive: true, force: true });
    mkdirSync(installed);
    run("tar", ["-xzf", join(folder, packed.filename), "--strip-components=1", "-C", installed], folder);
  }
  project.provide("applications", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
