/**
 * Where `--output` may write.
 *
 * @module
 */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { CliError } from "../cli-error.ts";
import { inputName, STDIN } from "../read-input.ts";

/** The file that was asked for; `-` is standard output, as it is standard input among files. */
export const outputFile = (output: string | undefined): string | undefined =>
  output === STDIN ? undefined : output;

/**
 * Refuses an output that would replace one of the inputs, by whatever name.
 *
 * @throws {CliError}
 */
export async function spareInputs(
  output: string | undefined,
  inputs: readonly (string | undefined)[],
  cwd: string,
): Promise<void> {
  if (output === undefined) return;
  const target = await stat(resolve(cwd, output)).catch(() => undefined);
  // A device is written to and not replaced.
  if (target?.isFile() !== true) return;
  for (const input of inputs) {
    if (input === undefined || input === STDIN) continue;
    const found = await stat(resolve(cwd, input)).catch(() => undefined);
    if (found?.ino === target.ino && found.dev === target.dev) {
      throw new CliError(
        "bad_option",
        `--output would replace the input ${inputName(input)}; name another file`,
      );
    }
  }
}
