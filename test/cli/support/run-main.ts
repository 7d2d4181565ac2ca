/** The command line in this process, with a made-up world around it. */
import { tmpdir } from "node:os";
import { Readable } from "node:stream";
import type { CliIo } from "../../../src/cli/io.ts";
import { main } from "../../../src/cli/main.ts";

export interface World {
  readonly stdin?: string | Uint8Array | AsyncIterable<Uint8Array>;
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** Whether standard output and standard error are terminals. */
  readonly terminal?: boolean;
}

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function runMain(argv: readonly string[], world: World = {}): Promise<Outcome> {
  const written = { stdout: "", stderr: "" };
  const output = (name: "stdout" | "stderr") => ({
    isTTY: world.terminal ?? false,
    write: (text: string) => {
      written[name] += text;
    },
  });
  const io: CliIo = {
    stdin: inputOf(world.stdin),
    stdout: output("stdout"),
    stderr: output("stderr"),
    env: world.env ?? {},
    cwd: world.cwd ?? tmpdir(),
    onceStopped: () => () => {},
  };
  const code = await main(argv, io);
  return { code, ...written };
}

function inputOf(stdin: World["stdin"]): AsyncIterable<Uint8Array> {
  if (stdin === undefined) return Readable.from([]);
  if (typeof stdin === "string") return Readable.from(stdin === "" ? [] : [Buffer.from(stdin)]);
  return stdin instanceof Uint8Array ? Readable.from([stdin]) : stdin;
}
