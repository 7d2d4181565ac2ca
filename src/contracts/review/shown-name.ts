/**
 * Names of others made fit to be shown in any format.
 *
 * @module
 */

const LONGEST = 128;

/**
 * The name on one line. Letters, digits and the few signs that names are made of stay; a control character, a terminal
 * escape or markup has no way through.
 */
export function shownName(name: string, longest: number = LONGEST): string {
  const short = name.slice(0, longest).replace(/[^\p{L}\p{M}\p{N}_.:/~@# -]/gu, "?");
  return name.length > longest ? `${short}…` : short;
}

/** A JSON pointer of these steps, made fit to be shown. */
export const shownPointer = (steps: readonly string[]): string =>
  steps.map((step) => `/${shownName(step.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("");
