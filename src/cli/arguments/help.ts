/**
 * Help texts, from the same rows that arguments are parsed by.
 *
 * @module
 */
import type { Command, CommandText } from "./command.ts";
import type { OptionRow } from "./option.ts";

/** What people type. The package's own, longer name works too. */
export const PROGRAM = "otel-labels";

const WIDTH = 96;

/** The text of `otel-labels --help`. */
export function programHelp(commands: readonly Command[]): string {
  return `${PROGRAM}: checks the trustabl.* labels on exported spans, and definitions of agents and tools

Usage: ${PROGRAM} COMMAND [OPTION]...

Commands:
${table(commands.map(({ name, summary }) => [name, summary]))}

Options:
${table([
  ["-h, --help", `Show this text; ${PROGRAM} COMMAND --help shows a command's own.`],
  ["--version", "Show the version."],
])}

Exit codes: 0 all is well, 1 something was found, 2 it could not be checked.
`;
}

/** The text of `otel-labels COMMAND --help`. */
export function commandHelp({ name, summary, usage, options, exitCodes, examples }: CommandText): string {
  return `${PROGRAM} ${name}: ${summary}

Usage:
${usage.map((form) => `  ${PROGRAM} ${name} ${form}`.trimEnd()).join("\n")}

Options:
${table(Object.entries(options).map(([option, row]) => [spelling(option, row), row.help]))}

Exit codes:
${table(exitCodes.map((meaning, code) => [String(code), meaning]))}

Examples:
${examples.map((example) => `  ${example}`).join("\n")}
`;
}

function spelling(name: string, { value, optional }: OptionRow): string {
  if (value === undefined) return `--${name}`;
  return optional === undefined ? `--${name} ${value}` : `--${name} [${value}]`;
}

/** Two columns; the second one is broken at spaces. */
function table(rows: readonly (readonly [string, string])[]): string {
  const left = Math.max(...rows.map(([name]) => name.length)) + 4;
  return rows
    .map(([name, text]) => `  ${name}`.padEnd(left) + wrap(text, WIDTH - left).join(`\n${" ".repeat(left)}`))
    .join("\n");
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
