/**
 * The command line: which command, and what happens when it cannot do its work.
 *
 * @module
 */
import { debuglog } from "node:util";
import { cleanText } from "../verify/clean-text.ts";
import type { Command } from "./arguments/command.ts";
import { commandHelp, PROGRAM, programHelp } from "./arguments/help.ts";
import { parseArguments } from "./arguments/parse.ts";
import { CliError } from "./cli-error.ts";
import { COMMANDS } from "./commands.ts";
import { EXIT_CODES, type ExitCode } from "./exit-code.ts";
import type { CliIo } from "./io.ts";
import { packageVersion } from "./package-version.ts";

const debug = debuglog(PROGRAM);

/**
 * Runs one command.
 *
 * @param argv the arguments, without the program's own name
 * @returns the exit code. Never throws.
 */
export async function main(argv: readonly string[], io: CliIo): Promise<ExitCode> {
  try {
    return await run(argv, io);
  } catch (error) {
    io.stderr.write(`${PROGRAM}: ${sentenceOf(error)}\n`);
    return EXIT_CODES.notChecked;
  }
}

async function run(argv: readonly string[], io: CliIo): Promise<ExitCode> {
  const [first] = argv;
  if (first === "help" && argv.length > 1) return await run([...argv.slice(1), "--help"], io);
  if (first === undefined) {
    io.stderr.write(programHelp(COMMANDS));
    return EXIT_CODES.notChecked;
  }
  if (first === "--version") return show(io, `${packageVersion()}\n`);
  if (first === "--help" || first === "-h" || (first === "help" && argv.length === 1))
    return show(io, programHelp(COMMANDS));
  if ((argv[1] === "--help" || argv[1] === "-h") && groupOf(first).length > 0)
    return show(io, programHelp(groupOf(first)));
  const command = commandOf(argv);
  const rest = argv.slice(command.name.split(" ").length);
  // No value begins with a dash, so before `--` it is the option wherever it stands.
  if (rest.slice(0, [...rest, "--"].indexOf("--")).includes("-h")) return show(io, commandHelp(command));
  const given = parseArguments(rest, command.options, `${PROGRAM} ${command.name} --help`);
  if (given.has("help")) return show(io, commandHelp(command));
  return await command.run(given, io);
}

function commandOf(argv: readonly string[]): Command {
  const command = COMMANDS.find(({ name }) => name.split(" ").every((word, index) => argv[index] === word));
  if (command !== undefined) return command;
  const group = groupOf(argv[0]);
  if (group.length > 0) {
    const names = group.map(({ name }) => name).join(" or ");
    throw new CliError("unknown_command", `say which: ${names}; ${PROGRAM} --help tells what they do`);
  }
  const what = argv[0]?.startsWith("-") ? "option" : "command";
  throw new CliError(
    what === "option" ? "unknown_option" : "unknown_command",
    `there is no ${what} ${cleanText(argv[0] as string, 40)}; ${PROGRAM} --help lists what there is`,
  );
}

const groupOf = (word: string | undefined): readonly Command[] =>
  COMMANDS.filter(({ name }) => name.startsWith(`${word} `));

function show(io: CliIo, text: string): ExitCode {
  io.stdout.write(text);
  return EXIT_CODES.ok;
}

// A fault of ours is not the user's to read a stack of; its message may hold their data, so that is never shown.
function sentenceOf(error: unknown): string {
  if (error instanceof CliError) return error.message;
  const { name = "unknown", stack = "" } = error as Partial<Error>;
  debug(
    "%s",
    stack
      .split("\n")
      .filter((line) => /^ +at /.test(line))
      .join("\n"),
  );
  return `stopped by a fault of its own (${name}); please report it with what NODE_DEBUG=${PROGRAM} prints`;
}
