/**
 * Writing a file whole or not at all.
 *
 * @module
 */
import { randomBytes } from "node:crypto";
import { realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CliError } from "./cli-error.ts";
import { inputName } from "./read-input.ts";

/**
 * Writes a file so that a reader of it, and a full disk, see the old text or the new one.
 *
 * @param name how the file is called in sentences
 * @throws {CliError}
 */
export async function writeWhole(path: string, text: string, name: string): Promise<void> {
  try {
    const target = await realpath(path).catch(() => path);
    const existing = await stat(target).catch(() => undefined);
    // A device or a pipe is written to; replacing it by a file would be a surprise.
    if (existing !== undefined && !existing.isFile() && !existing.isDirectory())
      return await writeFile(target, text);
    const beside = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}`);
    try {
      await writeFile(beside, text, { flag: "wx", mode: existing?.mode ?? 0o666 });
      await rename(beside, target);
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
  } catch (error) {
    throw unwritable(inputName(name), error);
  }
}

/** The error for what cannot be written, with the reason in words. */
export function unwritable(name: string, error: unknown): CliError {
  const { code = "no reason given" } = error as NodeJS.ErrnoException;
  return new CliError("cannot_write", `${name} cannot be written: ${REASONS[code] ?? code}`);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "a part of the path is not a folder",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EISDIR: "it is a directory",
  ENOSPC: "the disk is full",
  EROFS: "the disk is read-only",
};
