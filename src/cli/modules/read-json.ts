/**
 * A JSON file whole.
 *
 * @module
 */
import { CliError } from "../cli-error.ts";
import type { CliIo } from "../io.ts";
import { inputName, readInput } from "../read-input.ts";

const LARGEST_FILE = 16 * 1_048_576;

/**
 * Its value.
 *
 * @throws {CliError} when it cannot be read or is no JSON
 */
export async function readJson(file: string, io: CliIo): Promise<unknown> {
  const text = (await readInput(file, LARGEST_FILE, io)).toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    // The engine's message quotes the text.
    throw new CliError("bad_argument", `${inputName(file)} is not one JSON text`);
  }
}
