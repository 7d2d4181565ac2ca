/**
 * Arguments by a table of options. `parseArgs` cuts them up; the refusals are ours, since its messages are about
 * code and not about what to type.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { cleanText } from "../../verify/clean-text.ts";
import { CliError } from "../cli-error.ts";
import type { Arguments, OptionTable } from "./option.ts";

/**
 * Parses arguments.
 *
 * @param help what a person types to see the options
 * @throws {CliError}
 */
export function parseArguments<Table extends OptionTable>(
  argv: readonly string[],
  options: Table,
  help: string,
): Arguments<keyof Table & string> {
  const { tokens } = parseArgs({
    args: withOptionalValues(argv, options),
    options: Object.fromEntries(
      Object.entries(options).map(([name, row]) => [
        name,
        { type: row.value === undefined ? ("boolean" as const) : ("string" as const) },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(named(token.value));
    if (token.kind !== "option") continue;
    const { rawName } = token;
    const row = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (row === undefined) {
      throw new CliError(
        "unknown_option",
        `there is no option ${cleanText(rawName, 40)}; ${help} lists them`,
      );
    }
    if (row.value === undefined && token.value !== undefined) {
      throw new CliError("bad_option", `${rawName} takes no value`);
    }
    // A variable of a script that is empty: an option that is then forgotten would judge something else.
    const isEmpty = token.value === "" && row.optional === undefined;
    if (row.value !== undefined && (isEmpty || !isValue(token))) {
      throw new CliError("bad_option", `${rawName} needs a value: ${rawName} ${row.value}`);
    }
    const values = given.get(token.name) ?? [];
    if (values.length > 0 && row.value !== undefined && !row.many) {
      throw new CliError("bad_option", `${rawName} is given more than once`);
    }
    given.set(token.name, [...values, token.value ?? ""]);
  }
  return {
    positionals,
    has: (name) => given.has(name),
    text: (name) => given.get(name)?.at(-1) || undefined,
    texts: (name) => given.get(name) ?? [],
  };
}

// A path that is empty is the working directory, which nobody meant.
function named(argument: string): string {
  if (argument !== "") return argument;
  throw new CliError("bad_argument", "an argument is empty; is a variable not set?");
}

// `--format --quiet` is a value that was forgotten; a value that does begin with a dash can be given with `=`.
function isValue(token: {
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}): boolean {
  return token.value !== undefined && (token.inlineValue === true || !/^-./.test(token.value));
}

// `parseArgs` knows options with and without a value, and nothing between.
function withOptionalValues(argv: readonly string[], options: OptionTable): string[] {
  const args: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] as string;
    if (argument === "--") return [...args, ...argv.slice(index)];
    const { optional } = options[argument.replace(/^--/, "")] ?? {};
    if (optional === undefined) {
      args.push(argument);
    } else if (optional.test(argv[index + 1] ?? "")) {
      args.push(`${argument}=${argv[index + 1]}`);
      index += 1;
    } else {
      args.push(`${argument}=`);
    }
  }
  return args;
}
