/**
 * A span that only keeps what is written on it, for spans that cannot be reached when their labels are decided: they live
 * in another process, or start later.
 *
 * @module
 */
import type { AttributeValue, LabelSpan } from "./span.ts";
import { copyAttribute, copyEvent } from "./write.ts";

/** An event that was recorded. */
export interface RecordedEvent {
  readonly name: string;
  /** Nanoseconds since 1970. */
  readonly timeUnixNano: bigint;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
}

/** Keeps labels, and passes them on to the live spans that turn out to stand for the same thing. */
export class RecordedSpan implements LabelSpan {
  readonly attributes: Record<string, AttributeValue> = {};
  readonly events: RecordedEvent[] = [];
  #live: LabelSpan[] = [];

  isRecording(): boolean {
    return true;
  }

  setAttribute(name: string, value: AttributeValue): void {
    this.attributes[name] = value;
    for (const span of this.#live) copyAttribute(span, name, value);
  }

  addEvent(name: string, attributes: Record<string, AttributeValue>): void {
    const timeUnixNano = BigInt(Date.now()) * 1_000_000n;
    this.events.push({ name, timeUnixNano, attributes });
    for (const span of this.#live) copyEvent(span, name, attributes);
  }

  /** A live span that stands for the same: gets what was written so far, and what will be. */
  attach(span: LabelSpan): void {
    this.#live.push(span);
    for (const [name, value] of Object.entries(this.attributes)) copyAttribute(span, name, value);
    for (const { name, attributes } of this.events) copyEvent(span, name, attributes);
  }

  /** Whether a live span stands for the same. */
  get isAttached(): boolean {
    return this.#live.length > 0;
  }

  /** Lets go of the live spans: everything that they are to get is written. */
  release(): void {
    this.#live = [];
  }
}
