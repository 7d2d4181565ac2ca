/**
 * The texts of a trace's captured arguments and results, kept small, and the question whether a label holds one
 * of them. Nothing of it leaves: findings name the label, never the text.
 *
 * @module
 */
import { shortCopy } from "../clean-text.ts";
import { leafTexts } from "../json-data.ts";
import type { Captured } from "./captured.ts";
import type { LabelText } from "./label-texts.ts";

/** Characters that are kept for one trace: the shortest texts, whatever order they come in. */
const MAX_POOL = 16_384;
/** Characters that are kept of one text. */
const MAX_TEXT = 2_048;
/** Members that are looked at in one captured value. */
const MAX_LEAVES = 2_000;

// Shorter texts turn up in identifiers by chance ("A", "Rome" in a longer id).
const MIN_INSIDE = 6;
const MIN_NUMBER = 7;
// From here on a text needs no gaps around it to be the same text.
const MIN_ANYWHERE = 12;
const MIN_EQUAL = { free: 4, other: 4, closed: 2 } as const;

// Dates and versions are in policies and in results alike, and say nothing.
const COMMONPLACE = /^(?:v?\d+(?:\.\d+){1,3}|\d{4}-\d{2}-\d{2}|true|false|null)$/;

/** Captured texts of one trace. */
export class ContentPool {
  #texts = new Set<string>();
  #size = 0;

  /** Characters that are kept. */
  get size(): number {
    return this.#size;
  }

  /** Adds what was captured of one side of a call. */
  add({ content, value }: Captured): void {
    if (typeof content === "string") this.#keep(content);
    if (typeof value === "object") for (const leaf of leafTexts(value, MAX_LEAVES)) this.#keep(leaf);
    if (this.#size > MAX_POOL * 2) this.#cut();
  }

  /**
   * True when the label's text is one of the captured texts, holds one, or is a piece of one.
   *
   * @param identifiers names and ids of the trace itself, which results repeat and which labels may hold
   */
  holdsAny(
    label: string,
    place: LabelText["place"],
    identifiers: () => { has(text: string): boolean },
  ): boolean {
    this.#cut();
    // A single word of a label is often an id that the application also hands to its tools; a phrase is not.
    const phrase = label.length >= MIN_ANYWHERE && /\S[\s"{}[\]]+\S/.test(label) ? label.trim() : undefined;
    for (const text of this.#texts) {
      const found =
        label === text
          ? text.length >= MIN_EQUAL[place]
          : holds(label, text) || (phrase !== undefined && text.includes(phrase));
      if (found && !COMMONPLACE.test(text) && !identifiers().has(text)) return true;
    }
    return false;
  }

  #keep(text: string): void {
    const kept = shortCopy(text, MAX_TEXT).trim();
    if (kept.length < 2 || this.#texts.has(kept)) return;
    this.#texts.add(kept);
    this.#size += kept.length;
  }

  #cut(): void {
    if (this.#size <= MAX_POOL) return;
    const texts = [...this.#texts].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
    this.#texts = new Set();
    this.#size = 0;
    for (const text of texts) {
      if (this.#size + text.length > MAX_POOL) break;
      this.#texts.add(text);
      this.#size += text.length;
    }
  }
}

function holds(label: string, text: string): boolean {
  if (text.length < MIN_INSIDE || text.length > label.length) return false;
  const at = label.indexOf(text);
  if (at === -1 || (text.length < MIN_NUMBER && /^[\d.-]+$/.test(text))) return false;
  return text.length >= MIN_ANYWHERE || (isGap(label, at - 1) && isGap(label, at + text.length));
}

const isGap = (label: string, index: number): boolean =>
  index < 0 || index >= label.length || !/[\p{L}\p{N}]/u.test(label[index] as string);
