/**
 * Small questions about a line of JSON text.
 *
 * @module
 */

const OPEN_BRACE = 123;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const COMMA = 44;

// 30 is the record separator of JSON text sequences; 0xfeff a byte order mark in the middle of joined files.
const isSpace = (code: number): boolean =>
  code === 32 || code === 10 || code === 13 || code === 9 || code === 30 || code === 0xfeff;

/** Index of the first character that is not white space. */
export function skipSpace(text: string): number {
  let index = 0;
  while (index < text.length && isSpace(text.charCodeAt(index))) index += 1;
  return index;
}

/** Skips what may stand between values; counts the arrays around them. */
export function skipBetween(
  text: string,
  from: number,
  arraysBefore: number,
): { readonly index: number; readonly arrays: number } {
  let arrays = arraysBefore;
  let index = from;
  for (; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === OPEN_BRACKET) arrays += 1;
    else if (code === CLOSE_BRACKET) arrays = Math.max(0, arrays - 1);
    else if (code !== COMMA && !isSpace(code)) break;
  }
  return { index, arrays };
}

/** True when an object or an array begins at `index`. */
export function opensValue(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code === OPEN_BRACE || code === OPEN_BRACKET;
}

/** True when the line begins as one-line exports do. */
export function looksLikeExport(text: string): boolean {
  return /^\{ ?"(?:resource|scope|batches|spans?I?|trace|instrumentationLibrary|ilSpans|parentSpanI|name)/.test(
    text,
  );
}

/** True when the line reads like one of an indented document; a one-line export is long and ends with a bracket. */
export function looksIndented(text: string): boolean {
  return text.length < 4096 && /[{[,]\s*$/.test(text);
}
