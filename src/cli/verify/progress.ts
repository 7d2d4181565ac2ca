/**
 * One line on a terminal that says how far things are, for work that takes longer than a moment.
 *
 * @module
 */
import type { TextOutput } from "../io.ts";

/** A line that is written over. */
export interface Progress {
  /** `text` is asked for only when it is shown. */
  show(text: () => string): void;
  /** Takes the line away; before anything else is written. */
  clear(): void;
}

const FIRST_AFTER_MILLISECONDS = 500;
const EVERY_MILLISECONDS = 100;

/** A progress line; one that never shows where nobody would see it. */
export function createProgress(output: TextOutput, wanted: boolean): Progress {
  if (!wanted || output.isTTY !== true) return { show: () => {}, clear: () => {} };
  let next = performance.now() + FIRST_AFTER_MILLISECONDS;
  let shown = false;
  return {
    show(text) {
      const now = performance.now();
      if (now < next) return;
      next = now + EVERY_MILLISECONDS;
      shown = true;
      output.write(`\r${text().slice(0, (output.columns ?? 80) - 1)}\u001b[K`);
    },
    clear() {
      if (shown) output.write("\r\u001b[K");
      shown = false;
    },
  };
}
