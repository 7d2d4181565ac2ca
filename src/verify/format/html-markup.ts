/**
 * HTML that cannot be broken out of: whatever is put into a template is text, unless it is markup made here.
 *
 * @module
 */

/** Finished HTML. Only {@link html} makes it. */
export class Markup {
  readonly #text: string;

  constructor(key: typeof ours, text: string) {
    if (key !== ours) throw new TypeError("only html`` makes markup");
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

const ours = Symbol("markup");

/** What can stand in a template. `undefined` and `false` leave nothing behind. */
export type Part = string | number | Markup | undefined | false | readonly Part[];

/** HTML from a template. Values are escaped for text and for attributes in double quotes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const text = strings.reduce((all, piece, index) => all + render(parts[index - 1]) + piece);
  return new Markup(ours, text);
}

function render(part: Part): string {
  if (part === undefined || part === false) return "";
  if (part instanceof Markup) return part.toString();
  if (typeof part === "object") return part.map(render).join("");
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
