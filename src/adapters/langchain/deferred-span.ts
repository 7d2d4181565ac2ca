/**
 * Holds a call's labels while its span does not exist yet.
 *
 * @module
 */
import type { SpanAttributeName } from "../../attributes/registry.ts";
import { isUsable, type LabelSpan } from "../../labels/span.ts";
import { writeLabel } from "../../labels/write.ts";

/** A span to write on until the real one is there. One call writes a handful of labels, so it needs no bound. */
export class DeferredSpan implements LabelSpan {
  readonly #labels: [key: string, value: string | number | boolean][] = [];

  isRecording(): boolean {
    return true;
  }

  setAttribute(key: string, value: string | number | boolean): void {
    this.#labels.push([key, value]);
  }

  /** A tool call has no events. */
  addEvent(): void {}

  /** Writes what was held on the real span; `false` when there is none. */
  writeTo(span: LabelSpan | "late" | undefined): boolean {
    if (span === "late" || span === undefined) return false;
    if (!isUsable(span)) return true;
    for (const [key, value] of this.#labels) writeLabel(span, key as SpanAttributeName, value);
    return true;
  }
}
