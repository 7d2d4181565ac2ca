/**
 * One copy of texts that many spans carry: names of tools, run ids. Parsing gives each span a copy of its own.
 *
 * @module
 */
import type { LabelText } from "../evidence/label-texts.ts";

const MAX_TEXTS = 4_096;
const MAX_LENGTH = 128;

/** Gives the first copy of a text instead of a later one. Forgets everything when it holds too much. */
export class SharedTexts {
  readonly #texts = new Map<string, string>();
  readonly #runIds = new Map<string, readonly LabelText[]>();

  share(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (text.length > MAX_LENGTH) return text;
    if (this.#texts.size >= MAX_TEXTS) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }

  /** Nearly every list of label texts holds a run id and nothing else. */
  shareList(texts: readonly LabelText[]): readonly LabelText[] {
    const [first] = texts;
    if (texts.length !== 1 || first?.attribute !== "trustabl.run_id" || first.secret) return texts;
    const known = this.#runIds.get(first.text);
    if (known !== undefined) return known;
    if (this.#runIds.size >= MAX_TEXTS) this.#runIds.clear();
    this.#runIds.set(first.text, texts);
    return texts;
  }
}
