/** Lets a test act between two steps of reading a file, where an attacker would. */
import { type FileHandle, open } from "node:fs/promises";

/**
 * Runs `attack` once, just before the first bytes of the `count`-th opened file are read: the path was checked, the
 * file is open.
 */
export async function whileReading<Result>(
  attack: () => void,
  action: () => Promise<Result>,
  count = 1,
): Promise<Result> {
  const handle = await open(process.execPath);
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const original = prototype.read;
  const seen = new Set<unknown>();
  let done = false;
  prototype.read = function (this: FileHandle, ...parameters: never[]) {
    seen.add(this);
    if (seen.size === count && !done) {
      done = true;
      attack();
    }
    return Reflect.apply(original, this, parameters) as never;
  } as never;
  try {
    const result = await action();
    if (!done) throw new Error("The attack did not come to pass: too few files were read.");
    return result;
  } finally {
    prototype.read = original;
  }
}
