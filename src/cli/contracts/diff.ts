/**
 * `contracts diff`: what changed between two registries, and which way.
 *
 * @module
 */
import type { Change } from "../../contracts/diff/change.ts";
import { diffRegistries } from "../../contracts/diff/diff-registries.ts";
import { COMMON_OPTIONS, type Command, command } from "../arguments/command.ts";
import { CliError } from "../cli-error.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { type Style, styleFor, wantsColour } from "../style.ts";
import { loadRegistry } from "./load-registry.ts";

/** The command. */
export const contractsDiff: Command = command(
  {
    name: "contracts diff",
    summary: "say what two contract registries allow differently",
    usage: ["BEFORE AFTER"],
    options: { json: { help: "The changes as one JSON object on standard output." }, ...COMMON_OPTIONS },
    exitCodes: ["nothing was loosened", "something was loosened", "a file holds no usable registry"],
    examples: [
      "otel-labels contracts diff main/tools.json src/tools.ts",
      "otel-labels contracts diff before.json after.json --json",
    ],
  },
  async (given, io) => {
    const [before, after, ...more] = given.positionals;
    if (before === undefined || after === undefined || more.length > 0) {
      throw new CliError("bad_argument", "give two registries: contracts diff BEFORE AFTER");
    }
    const changes = diffRegistries(await loadRegistry(before, io), await loadRegistry(after, io));
    const style = styleFor(wantsColour(io.stdout, io.env, given.has("no-color")));
    io.stdout.write(
      given.has("json") ? `${JSON.stringify({ changes }, undefined, 2)}\n` : textOf(changes, style),
    );
    return changes.some(({ kind }) => kind === "loosening") ? EXIT_CODES.findings : EXIT_CODES.ok;
  },
);

const LONGEST_PART = 120;

function textOf(changes: readonly Change[], style: Style): string {
  if (changes.length === 0) return "no changes\n";
  const paint = { loosening: style.red, tightening: style.green, neutral: style.dim };
  const lines = changes.map((change) => {
    const { tool, place, kind, what } = change;
    const parts =
      "before" in change || "after" in change ? `: ${part(change.before)} -> ${part(change.after)}` : "";
    return `${paint[kind](kind.padEnd(10))}  ${tool}${place}  ${what}${parts}`;
  });
  return `${lines.join("\n")}\n`;
}

// Escapes of JSON leave no control character, and what is long is the file's to show.
function part(value: unknown): string {
  if (value === undefined) return "(none)";
  const text = JSON.stringify(value);
  return text.length > LONGEST_PART ? `${text.slice(0, LONGEST_PART - 1)}…` : text;
}
