/**
 * The world around a command: streams, environment, signals. Commands take it as a parameter, so that a test
 * can be the world.
 *
 * @module
 */

import { PROGRAM } from "./arguments/help.ts";
import { EXIT_CODES } from "./exit-code.ts";
import { unwritable } from "./write-whole.ts";

/** Where text goes. */
export interface TextOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** The signals that end a command which is waiting. */
const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A signal that ends a command which is waiting. */
export type StopSignal = (typeof STOP_SIGNALS)[number];

/** What a command sees of the world. */
export interface CliIo {
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean | undefined };
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Calls `listener` for the first signal only: the second one ends the process, as people expect. */
  onceStopped(listener: (signal: StopSignal) => void): () => void;
}

/** The real world. */
export function processIo(): CliIo {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`| head`) closes the pipe, and the verdict stands. Anything else loses the report, and
    // a verdict that nobody was told is none.
    if (error.code === "EPIPE") return;
    process.stderr.write(`${PROGRAM}: ${unwritable("standard output", error).message}\n`);
    process.exit(EXIT_CODES.notChecked);
  });
  // There is nowhere left to say so; the exit code stands.
  process.stderr.on("error", () => {});
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    onceStopped(listener) {
      const forget = (): void => {
        for (const signal of STOP_SIGNALS) process.off(signal, heard);
      };
      const heard = (signal: NodeJS.Signals): void => {
        forget();
        listener(signal as StopSignal);
      };
      for (const signal of STOP_SIGNALS) process.on(signal, heard);
      return forget;
    },
  };
}
