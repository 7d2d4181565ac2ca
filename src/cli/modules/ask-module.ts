/**
 * Loading a user's module in a process of its own: it may print, keep the process alive, end it, or fail.
 *
 * @module
 */
import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { access, constants, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { CliError } from "../cli-error.ts";
import { inputName, unreadable } from "../read-input.ts";
import type { Answer, Envelope, Question } from "./answer.ts";
import { loaderFlags } from "./loader-flags.ts";

const CHILD = fileURLToPath(new URL("./child.js", import.meta.url));
const LONGEST_WAIT_MILLISECONDS = 60_000;

/**
 * Asks the module something. What it prints goes to this process's stderr.
 *
 * @param file how the module is called in sentences
 * @throws {CliError} when it cannot be loaded
 */
export async function askModule(
  question: Question,
  file: string,
): Promise<Exclude<Answer, { failed: object }>> {
  try {
    await access(question.path, constants.R_OK);
    if ((await stat(question.path)).isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
  } catch (error) {
    throw unreadable(file, error);
  }
  const child = fork(CHILD, [], {
    execArgv: loaderFlags(question.path, file),
    stdio: ["ignore", 2, 2, "ipc"],
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), LONGEST_WAIT_MILLISECONDS);
  try {
    const envelope: Envelope<Question> = { key: randomUUID(), content: question };
    child.send(envelope);
    const answer = await answerOf(child, envelope.key, file);
    if (!("failed" in answer)) return answer;
    const { name, code } = answer.failed;
    const reason = REASONS[code ?? ""];
    // What was thrown may quote the user's data, so it is for them to look at.
    const look = reason === undefined ? "; run it by itself to see more" : "";
    throw cannotLoad(file, `${reason ?? "it threw while it was loaded"} (${code ?? name})${look}`);
  } finally {
    clearTimeout(timer);
  }
}

function answerOf(child: ChildProcess, key: string, file: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    child.on("message", (message: unknown) => {
      const { key: own, content } = Object(message) as Partial<Envelope<Answer>>;
      if (own === key && content !== undefined) resolve(content);
    });
    child.once("error", () => reject(new CliError("cannot_run", "Node could not be started for the module")));
    child.once("exit", (code, signal) => {
      const how =
        signal === "SIGKILL"
          ? `it did not load within ${LONGEST_WAIT_MILLISECONDS / 1000} seconds`
          : `it never finished loading (exit code ${code})`;
      reject(cannotLoad(file, how));
    });
  });
}

const cannotLoad = (file: string, how: string): CliError =>
  new CliError("cannot_run", `${inputName(file)} cannot be loaded: ${how}`);

const REASONS: Readonly<Record<string, string>> = {
  ERR_MODULE_NOT_FOUND: "a module that it imports is not there",
  MODULE_NOT_FOUND: "a module that it imports is not there",
  ERR_PACKAGE_PATH_NOT_EXPORTED: "a package that it imports has no such entry",
  ERR_UNKNOWN_FILE_EXTENSION: "it is no JavaScript or TypeScript file",
  ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX: "its TypeScript is more than types; install tsx in the project",
};
