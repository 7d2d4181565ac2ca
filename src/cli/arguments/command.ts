/**
 * A command: what it is called, what it takes, and what it does.
 *
 * @module
 */
import type { ExitCode } from "../exit-code.ts";
import type { CliIo } from "../io.ts";
import type { Arguments, OptionTable } from "./option.ts";

/** Everything about a command that people are told. */
export interface CommandText {
  /** `verify`, or `policies verify`. */
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** What follows the name, one form a line: `[FILE|-]...`. */
  readonly usage: readonly string[];
  readonly options: OptionTable;
  /** One sentence for each exit code. */
  readonly exitCodes: readonly [ok: string, findings: string, notChecked: string];
  readonly examples: readonly string[];
}

/** A command. */
export interface Command extends CommandText {
  run(given: Arguments, io: CliIo): Promise<ExitCode>;
}

/** Options that every command has. */
export const COMMON_OPTIONS = {
  "no-color": { help: "No colours. NO_COLOR in the environment says the same." },
  help: { help: "Show this text." },
} as const satisfies OptionTable;

/** Makes a command whose `run` sees its own option names. */
export function command<Table extends OptionTable>(
  text: Omit<CommandText, "options"> & { readonly options: Table },
  run: (given: Arguments<keyof Table & string>, io: CliIo) => Promise<ExitCode>,
): Command {
  return { ...text, run: run as Command["run"] };
}
