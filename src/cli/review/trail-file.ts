/**
 * The trail in its file.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { EMPTY_TRAIL, readTrail, type Trail, TrailError } from "../../contracts/review/index.ts";
import { CliError } from "../cli-error.ts";
import type { CliIo } from "../io.ts";
import { inputName, readInput } from "../read-input.ts";
import { writeWhole } from "../write-whole.ts";

const LARGEST_FILE = 16 * 1_048_576;

/**
 * The trail; a file that is not there yet is where a trail begins.
 *
 * @throws {CliError}
 */
export async function loadTrail(file: string | undefined, io: CliIo): Promise<Trail> {
  if (file === undefined || !existsSync(resolve(io.cwd, file))) return EMPTY_TRAIL;
  const text = (await readInput(file, LARGEST_FILE, io)).toString("utf8");
  try {
    return readTrail(text);
  } catch (error) {
    if (!(error instanceof TrailError)) throw error;
    throw new CliError("bad_argument", `${inputName(file)} cannot be used: ${error.message}`);
  }
}

/** Writes the trail. */
export async function saveTrail(file: string, trail: Trail, io: CliIo): Promise<void> {
  await writeWhole(resolve(io.cwd, file), `${JSON.stringify(trail, undefined, 2)}\n`, file);
}
