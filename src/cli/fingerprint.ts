/**
 * `fingerprint`: the canonical text and the fingerprint of a JSON text, for comparing languages.
 *
 * @module
 */
import { CanonicalizationError, canonicalFp, canonicalJson } from "../fingerprint/index.ts";
import { COMMON_OPTIONS, type Command, command } from "./arguments/command.ts";
import { CliError } from "./cli-error.ts";
import { EXIT_CODES, type ExitCode } from "./exit-code.ts";
import type { CliIo } from "./io.ts";
import { inputName, readInput, STDIN } from "./read-input.ts";

// Canonical text is at most 16 Mi characters; white space and escapes make the text before it longer.
const LONGEST_INPUT = 64 * 1_048_576;

/** The command. */
export const fingerprint: Command = command(
  {
    name: "fingerprint",
    summary: "print the canonical text and the fingerprint of a JSON text",
    usage: ["[FILE|-]"],
    options: { json: { help: "One JSON object on standard output." }, ...COMMON_OPTIONS },
    exitCodes: [
      "the text has a fingerprint",
      "the text is JSON that has no fingerprint; the code and the position say why",
      "the text could not be read, or is not JSON",
    ],
    examples: [
      `echo '{"to":"JFK"}' | otel-labels fingerprint`,
      "otel-labels fingerprint arguments.json --json",
    ],
  },
  async (given, io) => {
    const { positionals } = given;
    if (positionals.length > 1)
      throw new CliError("bad_argument", "give one file, or none for standard input");
    const [file = STDIN] = positionals;
    if (file === STDIN && io.stdin.isTTY) io.stderr.write("Type a JSON text; Ctrl-D ends it.\n");
    const value = parse(await readInput(file, LONGEST_INPUT, io), file);
    return print(value, given.has("json"), io);
  },
);

function parse(bytes: Uint8Array, file: string): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CliError("bad_argument", `${inputName(file)} is not UTF-8 text`);
  }
  try {
    return JSON.parse(text);
  } catch {
    // The engine's message quotes the text, so it is not passed on.
    throw new CliError("bad_argument", `${inputName(file)} is not one JSON text`);
  }
}

function print(value: unknown, asJson: boolean, io: CliIo): ExitCode {
  try {
    const canonical = canonicalJson(value);
    const fingerprint = canonicalFp(value);
    io.stdout.write(
      asJson
        ? `${JSON.stringify({ canonical, fingerprint })}\n`
        : `canonical    ${canonical}\nfingerprint  ${fingerprint}\n`,
    );
    return EXIT_CODES.ok;
  } catch (error) {
    if (!(error instanceof CanonicalizationError)) throw error;
    const { code, message, path } = error;
    if (asJson) io.stdout.write(`${JSON.stringify({ error: { code, message, path } })}\n`);
    io.stderr.write(`${code}: ${message}\n`);
    return EXIT_CODES.findings;
  }
}
