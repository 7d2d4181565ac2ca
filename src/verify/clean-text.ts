/**
 * Text of others made fit to be shown: names of spans, ids, file names.
 *
 * @module
 */

// C0 and C1 controls move cursors and colour terminals; the rest changes the direction of text, hides, or breaks lines.
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** The text on one line, without control characters, at most `maxLength` characters long. */
export function cleanText(text: string, maxLength: number): string {
  const clean = shortCopy(text, maxLength * 2).replace(UNSAFE, "\ufffd");
  return clean.length > maxLength
    ? `${clean.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, "")}…`
    : clean;
}

/**
 * The first characters of a text, as a text of their own: engines let a slice hold on to the whole, and a few
 * characters would keep megabytes alive.
 */
export function shortCopy(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : ` ${text.slice(0, maxLength)}`.slice(1);
}
