/**
 * Loading the application's set-up, in a process of its own: it may print, keep the process alive, or fail, and
 * `--import` and `--require` mean exactly what they mean to Node.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
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
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, PROBE], { cwd, stdio: ["ignore", 2, 2, "ipc"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), LONGEST_WAIT_MILLISECONDS);
    child.once("message", (facts) => resolve(facts as RunningFacts));
    child.once("error", () => reject(new CliError("cannot_run", "Node could not be started for the set-up")));
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      const how =
        signal === "SIGKILL"
          ? `did not end within ${LONGEST_WAIT_MILLISECONDS / 1000} seconds`
          : `ended with exit code ${code}`;
      reject(new CliError("cannot_run", `the set-up could not be loaded: it ${how}`));
    });
  });
}
