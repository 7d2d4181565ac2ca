/**
 * Reads files of one folder, each once: one open, one buffer, no second look at the path.
 *
 * What is checked is what is used. A file that is replaced after it was opened is not seen; one that is written
 * to while it is read gives bytes that no signature covers.
 *
 * @module
 */
import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { PolicyError } from "../policy-error.ts";

/** Largest file that is read when nothing else is configured, in bytes: 1 MiB. */
export const DEFAULT_MAX_BYTES: number = 1024 * 1024;

const CHUNK = 64 * 1024;

// Links are resolved before, so the last step must not be one. Opening a pipe must not wait for a writer.
// Both flags are missing on Windows.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export class PolicyFolder {
  /** Where relative paths begin. Without symbolic links, as is `outermost`. */
  readonly path: string;
  /** What no file may lie outside of. */
  readonly outermost: string;

  private constructor(path: string, outermost: string) {
    this.path = path;
    this.outermost = outermost;
  }

  /** @param outermost `folder` itself when left out */
  static async at(folder: string, outermost: string = folder): Promise<PolicyFolder> {
    const what = "the folder of the policies";
    return new PolicyFolder(await resolveLinks(folder, what), await resolveLinks(outermost, what));
  }

  /**
   * The bytes of a file in the outermost folder or below it.
   *
   * A symbolic link is followed as long as it stays in the folder: a mounted Kubernetes volume is made of such
   * links.
   *
   * @param what the part that the file plays, in words of this package; goes into error messages
   */
  async read(path: string, what: string, maxBytes: number = DEFAULT_MAX_BYTES): Promise<Uint8Array> {
    const wanted = resolve(this.path, path);
    this.#mustHold(wanted, what);
    const real = await resolveLinks(wanted, what);
    this.#mustHold(real, what);
    const file = await open(real, FLAGS).catch(() => unreadable(what));
    try {
      await mustStillBe(file, real, what);
      return await readAll(file, what, maxBytes);
    } finally {
      await file.close();
    }
  }

  /** The folder that a file of this folder lies in, as a folder of its own: the file's neighbours, nothing else. */
  async around(path: string, what: string): Promise<PolicyFolder> {
    const wanted = resolve(this.path, dirname(path));
    this.#mustHold(wanted, what);
    const real = await resolveLinks(wanted, what);
    this.#mustHold(real, what);
    return new PolicyFolder(real, real);
  }

  /**
   * Every file of this folder and below, as paths with `/`. Symbolic links are refused here: a folder that is
   * walked could lead into itself.
   */
  async list(what: string, maximum: number): Promise<string[]> {
    const files: string[] = [];
    const folders = [""];
    for (let below = folders.pop(); below !== undefined; below = folders.pop()) {
      const entries = await readdir(join(this.path, below), { withFileTypes: true }).catch(() =>
        unreadable(what),
      );
      for (const entry of entries) {
        const path = below === "" ? entry.name : `${below}/${entry.name}`;
        if (entry.isDirectory()) folders.push(path);
        else if (entry.isFile()) files.push(path);
        else unreadable(what);
      }
      if (files.length + folders.length > maximum) {
        throw new PolicyError("too_large", `The limit is ${maximum} files in ${what}.`);
      }
    }
    return files;
  }

  #mustHold(path: string, what: string): void {
    const steps = relative(this.outermost, path);
    if (steps === ".." || steps.startsWith(`..${sep}`) || isAbsolute(steps)) {
      throw new PolicyError("outside_folder", `It is ${what}.`);
    }
  }
}

async function resolveLinks(path: string, what: string): Promise<string> {
  return realpath(path).catch(() => unreadable(what));
}

// A folder on the way can be swapped for a link between resolving and opening. Looking again, with no link in the
// name, shows whether the opened file is the one at the place that was checked.
async function mustStillBe(file: FileHandle, real: string, what: string): Promise<void> {
  const opened = await file.stat();
  if (!opened.isFile()) unreadable(what);
  const again = join(await resolveLinks(dirname(real), what), basename(real));
  const there = await lstat(again).catch(() => unreadable(what));
  if (again !== real || there.dev !== opened.dev || there.ino !== opened.ino) unreadable(what);
}

async function readAll(file: FileHandle, what: string, maxBytes: number): Promise<Uint8Array> {
  if ((await file.stat()).size > maxBytes) tooLarge(what, maxBytes);
  const parts: Buffer[] = [];
  let total = 0;
  // The size is not believed: a file can grow while it is read.
  for (;;) {
    const { bytesRead, buffer } = await file
      .read(Buffer.allocUnsafeSlow(CHUNK), 0, CHUNK, null)
      .catch(() => unreadable(what));
    if (bytesRead === 0) break;
    total += bytesRead;
    if (total > maxBytes) tooLarge(what, maxBytes);
    parts.push(buffer.subarray(0, bytesRead));
  }
  const bytes = new Uint8Array(total);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

function unreadable(what: string): never {
  throw new PolicyError("unreadable", `It is ${what}.`);
}

function tooLarge(what: string, maxBytes: number): never {
  throw new PolicyError("too_large", `It is ${what}; the limit is ${maxBytes} bytes.`);
}
