/** Child processes that cannot outlive their test. */
import { execFile } from "node:child_process";

const LONGEST_MILLISECONDS = 120_000;

/** Runs a program to its end. Rejects with what it printed when it fails or takes too long. */
export function run(program: string, parameters: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      program,
      parameters,
      { cwd, timeout: LONGEST_MILLISECONDS, killSignal: "SIGKILL", encoding: "utf8" },
      (error, stdout, stderr) =>
        error === null
          ? resolve(stdout)
          : reject(new Error(`${error.message.split("\n")[0]}\n${stdout}${stderr}`)),
    );
  });
}
