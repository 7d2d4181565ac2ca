/**
 * A whole small input: a named file, or standard input for `-`.
 *
 * @module
 */
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { cleanText } from "../verify/clean-text.ts";
import { CliError } from "./cli-error.ts";
import type { CliIo } from "./io.ts";

/** The name of standard input among files. */
export const STDIN = "-";

/** How an input is called in sentences. */
export const inputName = (file: string): string => (file === STDIN ? "standard input" : cleanText(file, 200));

/**
 * The input's bytes.
 *
 * @throws {CliError} when it cannot be read, or is longer than `limit` bytes
 */
export async function readInput(file: string, limit: number, io: CliIo): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of file === STDIN ? io.stdin : createReadStream(resolve(io.cwd, file))) {
      length += (chunk as Uint8Array).length;
      if (length > limit) break;
      chunks.push(chunk as Uint8Array);
    }
  } catch (error) {
    throw unreadable(file, error);
  }
  if (length > limit) {
    throw new CliError("unreadable", `${inputName(file)} is larger than ${limit / 1_048_576} MiB`);
  }
  return Buffer.concat(chunks);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "this user may not read it",
  EPERM: "this user may not read it",
  EISDIR: "it is a directory; name the files in it",
  ENOTDIR: "a part of the path is not a directory",
  ELOOP: "it is a symbolic link that leads nowhere",
  ENAMETOOLONG: "the name is too long",
  EMFILE: "too many files are open",
};

/** The error for a file that cannot be read, with the reason in words. */
export function unreadable(file: string, error: unknown): CliError {
  const { code = "no reason given" } = error as NodeJS.ErrnoException;
  return new CliError("unreadable", `${inputName(file)} cannot be read: ${REASONS[code] ?? code}`);
}
