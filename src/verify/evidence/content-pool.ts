/**
 * What the framework captured in one trace, kept small, and the question whether a label holds some of it. Nothing of it
 * leaves: findings name the label, never the text.
 *
 * @module
 */
import { shortCopy } from "../clean-text.ts";
import { leafTexts, parseJson } from "../json-data.ts";
import type { Captured } from "./captured.ts";

/** Characters that are kept for one trace: the shortest texts, whatever order they come in. */
const MAX_POOL = 16_384;
/** Characters that are kept of one text. */
const MAX_TEXT = 2_048;
/** Members that are looked at in one captured value. */
const MAX_LEAVES = 2_000;

// Shorter texts ("A", "1") are words like any other, and turn up in identifiers by chance ("Rome" in a longer id).
const MIN_EQUAL = 4;
const MIN_INSIDE = 6;
const MIN_NUMBER = 7;
// From here on a text needs no gaps around it to be the same text.
const MIN_ANYWHERE = 12;

// Dates and versions are in policies and in results alike, and say nothing.
const COMMONPLACE = /^(?:v?\d+(?:\.\d+){1,3}|\d{4}-\d{2}-\d{2}|true|false|null)$/;
// What this package makes run ids of. Only the same characters in the content would make one of these a copy.
const RANDOM_ID = /^[0-9a-f]{16}$/;
const NUMBER = /^[\d.-]+$/;

/** Captured content of one trace. */
export class ContentPool {
  // Contents as they came; they are taken apart only if a label asks for more than a look.
  #contents = new Set<string>();
  #size = 0;
  #texts: ReadonlySet<string> | undefined;

  /** Characters that are kept. */
  get size(): number {
    return this.#size;
  }

  /** Adds what was captured of one side of a call. */
  add({ content, value }: Captured): void {
    if (typeof content === "string" && content.length <= MAX_TEXT) {
      this.#keep(content);
    } else if (typeof value === "object") {
      // Too long to keep whole, or not text at all: its parts.
      for (const leaf of leafTexts(value, MAX_LEAVES)) this.#keep(shortCopy(leaf, MAX_TEXT));
    } else if (typeof content === "string") {
      this.#keep(shortCopy(content, MAX_TEXT));
    }
    if (this.#size > MAX_POOL * 2) this.#cut();
  }

  /**
   * True when the label's text is one of the captured texts, holds one, or is a piece of one.
   *
   * @param identifiers names and ids of the trace itself, which results repeat and which labels may hold
   */
  holdsAny(label: string, identifiers: () => { has(text: string): boolean }): boolean {
    this.#cut();
    if (RANDOM_ID.test(label) && !this.#appears(label)) return false;
    // A single word of a label is often an id that the application also hands to its tools; a phrase is not.
    const phrase = label.length >= MIN_ANYWHERE && /\S[\s"{}[\]]+\S/.test(label) ? label.trim() : undefined;
    for (const text of this.#leaves()) {
      const found = label === text || holds(label, text) || (phrase !== undefined && text.includes(phrase));
      if (found && !COMMONPLACE.test(text) && !identifiers().has(text)) return true;
    }
    return false;
  }

  #appears(label: string): boolean {
    for (const content of this.#contents) if (content.includes(label)) return true;
    return false;
  }

  #keep(text: string): void {
    if (text.length < MIN_EQUAL || this.#contents.has(text)) return;
    this.#contents.add(text);
    this.#size += text.length;
    this.#texts = undefined;
  }

  // The contents and everything in them that is long enough to matter.
  #leaves(): ReadonlySet<string> {
    if (this.#texts !== undefined) return this.#texts;
    const texts = new Set<string>();
    for (const content of this.#contents) {
      const value = parseJson(content);
      const parts = typeof value === "object" ? [...leafTexts(value, MAX_LEAVES), content] : [content];
      for (const part of parts) {
        const text = part.trim();
        if (text.length >= (NUMBER.test(text) ? MIN_NUMBER : MIN_EQUAL)) texts.add(text);
      }
    }
    this.#texts = texts;
    return texts;
  }

  #cut(): void {
    if (this.#size <= MAX_POOL) return;
    const contents = [...this.#contents].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
    this.#contents = new Set();
    this.#size = 0;
    for (const content of contents) {
      if (this.#size + content.length > MAX_POOL) break;
      this.#contents.add(content);
      this.#size += content.length;
    }
    this.#texts = undefined;
  }
}

function holds(label: string, text: string): boolean {
  if (text.length < MIN_INSIDE || text.length > label.length) return false;
  const at = label.indexOf(text);
  if (at === -1) return false;
  return text.length >= MIN_ANYWHERE || (isGap(label, at - 1) && isGap(label, at + text.length));
}

const isGap = (label: string, index: number): boolean =>
  index < 0 || index >= label.length || !/[\p{L}\p{N}]/u.test(label[index] as string);
