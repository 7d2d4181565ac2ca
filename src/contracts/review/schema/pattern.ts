/**
 * Whether a regular expression has to match a whole text.
 *
 * @module
 */

/**
 * True for `^…$`, also with `|` inside a group; `^a|b$` is anchored on neither side. Read sign by sign: running or
 * compiling somebody's expression is what this is meant to warn of.
 */
export function isAnchored(pattern: string): boolean {
  if (!pattern.startsWith("^") || !pattern.endsWith("$")) return false;
  let depth = 0;
  let inClass = false;
  for (let index = 0; index < pattern.length; index += 1) {
    const sign = pattern[index];
    if (sign === "\\") {
      index += 1;
      if (index === pattern.length - 1) return false;
    } else if (inClass) inClass = sign !== "]";
    else if (sign === "[") inClass = true;
    else if (sign === "(") depth += 1;
    else if (sign === ")") depth -= 1;
    else if (sign === "|" && depth === 0) return false;
  }
  return true;
}
