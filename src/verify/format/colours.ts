/**
 * Colours as terminal escapes, or none.
 *
 * @module
 */

const CODES = { green: 32, red: 31, yellow: 33, grey: 90, bold: 1 } as const;

/** A colour or weight. */
export type Style = keyof typeof CODES;

/** Paints text. */
export type Paint = (style: Style, text: string) => string;

/** A painter; without colour it gives the text back. */
export function painter(color: boolean): Paint {
  return (style, text) => (color && text !== "" ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text);
}
