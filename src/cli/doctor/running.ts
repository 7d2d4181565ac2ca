/**
 * Loading the application's set-up, in a process of its own: it may print, keep the process alive, or fail, and
 * `--import` and `--require` mean exactly what they mean to Node.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { cleanText } from "../../verify/clean-text.ts";
import { CliError } from "../cli-error.ts";
import type { RunningFacts } from "./facts.ts";

/** What is loaded, in order. */
export interface SetUp {
  readonly require: readonly string[];
  readonly import: readonly string[];
}

const PROBE = fileURLToPath(new URL("./probe.js", import.meta.url));
const LONGEST_WAIT_MILLISECONDS = 60_000;

/**
 * Loads the set-up and looks at what is registered then. What the application prints goes to this process's stderr.
 *
 * @throws {CliError} when the set-up cannot be loaded
 */
export function lookAtRunning(setUp: SetUp, cwd: string): Promise<RunningFacts> {
  const flags = [
    ...setUp.require.flatMap((file) => ["--require", file]),
    ...setUp.import.flatMap((file) => ["--import", file]),
  ];
  return new Promise((answer, reject) => {
    const child = spawn(process.execPath, [...flags, PROBE], { cwd, stdio: ["ignore", 2, 2, "ipc"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), LONGEST_WAIT_MILLISECONDS);
    child.once("message", (facts) => answer(facts as RunningFacts));
    child.once("error", () => reject(new CliError("cannot_run", "Node could not be started for the set-up")));
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      const how =
        signal === "SIGKILL"
          ? `did not end within ${LONGEST_WAIT_MILLISECONDS / 1000} seconds`
          : `ended with exit code ${code}`;
      reject(new CliError("cannot_run", `the set-up could not be loaded: it ${how}${hint(setUp, cwd)}`));
    });
  });
}

// For Node a bare name is a package, and its message does not say what else it could have been.
function hint(setUp: SetUp, cwd: string): string {
  const bare = [...setUp.import, ...setUp.require].find(
    (name) => !/^(?:\.{0,2}\/|[a-z]+:)/.test(name) && existsSync(resolve(cwd, name)),
  );
  if (bare === undefined) return "";
  return `; a file is named with ./ before it, as for node --import: ./${cleanText(bare, 100)}`;
}
