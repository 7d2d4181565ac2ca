/**
 * What the name of a tool is made of.
 *
 * @module
 */
import { nameFault } from "../../names.ts";

/** The words of a name in lower case: of `rerun_job`, `rerunJob` and `Rerun-Job` alike. */
export const wordsOf = (name: string): string[] =>
  name
    .slice(0, 256)
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

/**
 * True for words that any call would fit, as a contract's name is judged. How a name is spelled is each framework's own
 * matter, so only a name that has the contracts' spelling is asked about.
 */
export function isVague(words: readonly string[]): boolean {
  const name = words.join("_");
  return /^[a-z][a-z0-9_]{0,63}$/.test(name) && nameFault(name) !== undefined;
}
