/**
 * What Node needs to load a file.
 *
 * @module
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { CliError } from "../cli-error.ts";
import { inputName } from "../read-input.ts";

/**
 * Flags for Node. TypeScript is loaded by the project's own tsx where it is installed, since that knows its paths and all of
 * the language; otherwise by Node itself (22.18 and newer), which takes the types away.
 *
 * @throws {CliError} when nothing here can load TypeScript
 */
export function loaderFlags(path: string, file: string): string[] {
  if (!/\.(?:[cm]?ts|tsx|jsx)$/.test(path)) return [];
  const tsx = projectsTsx(path);
  if (tsx !== undefined) return ["--import", tsx];
  const stripsTypes = (process.features as { readonly typescript?: unknown }).typescript;
  if (stripsTypes && /\.[cm]?ts$/.test(path)) return [];
  throw new CliError(
    "cannot_run",
    `${inputName(file)} needs a loader that Node ${process.versions.node} has not: install tsx in its project (npm i -D tsx), or use Node 22.18 or newer for .ts files`,
  );
}

function projectsTsx(path: string): string | undefined {
  try {
    return pathToFileURL(createRequire(path).resolve("tsx")).href;
  } catch {
    return undefined;
  }
}
