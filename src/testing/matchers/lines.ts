/**
 * Lists in messages.
 *
 * @module
 */

/** Items that one message lists. */
const MAX_SHOWN = 10;

/** One indented line for each item, and one for how many were left out. */
export function listLines<Item>(items: readonly Item[], show: (item: Item) => string): string {
  const lines = items.slice(0, MAX_SHOWN).map((item) => `  ${show(item).replaceAll("\n", "\n    ")}`);
  if (items.length > MAX_SHOWN) lines.push(`  and ${items.length - MAX_SHOWN} more`);
  return lines.join("\n");
}
