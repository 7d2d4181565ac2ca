/**
 * A copy that is only data: checked, without volatile members, made of arrays and plain objects that nobody else
 * holds. Nothing in it can run code, so other people's functions may read it.
 *
 * @module
 */
import { MAX_TEXT_LENGTH } from "./bounds.ts";
import { type Form, isCompound } from "./form.ts";
import { refuse } from "./refusal.ts";
import { numberText, stringText } from "./scalars.ts";
import { setOwn } from "./set-own.ts";
import type { VolatileKeys } from "./volatile-keys.ts";
import { type Frame, refuseUndefinedElement, Walk } from "./walk.ts";

const { isArray } = Array;

/**
 * Copies `root`, members in their own order. A top-level `undefined` gives `null`.
 *
 * @throws {CanonicalizationError} for what the form refuses, and beyond the bounds; no other error
 */
export function inertCopy(root: unknown, volatile: VolatileKeys, form: Form): unknown {
  const copier = new Copier(volatile, form);
  try {
    return copier.copy(root);
  } catch (thrown) {
    throw copier.walk.error(thrown);
  }
}

class Copier {
  readonly walk: Walk = new Walk();
  readonly #volatile: VolatileKeys;
  readonly #form: Form;
  #textLength = 0;

  constructor(volatile: VolatileKeys, form: Form) {
    this.#volatile = volatile;
    this.#form = form;
  }

  copy(root: unknown): unknown {
    const result = this.#take(root, "");
    for (let frame = this.walk.top; frame !== undefined; frame = this.walk.top) {
      frame.index++;
      if (frame.index === frame.size) this.#close(frame);
      else if (frame.keys === undefined) this.#copyElement(frame);
      else this.#copyMember(frame, frame.keys[frame.index]!);
    }
    return result === undefined ? null : result;
  }

  #copyElement(frame: Frame): void {
    const element = this.#take((frame.container as readonly unknown[])[frame.index], frame.index);
    if (element === undefined) refuseUndefinedElement(frame);
    setOwn(frame.copy!, frame.index, element);
  }

  #copyMember(frame: Frame, key: string): void {
    if (this.#volatile.has(key)) {
      frame.dropped++;
      return;
    }
    const keyLength = stringText(key).length;
    const member = this.#take((frame.container as Readonly<Record<string, unknown>>)[key], key);
    if (member !== undefined) {
      this.#count(keyLength + ":".length);
      setOwn(frame.copy!, key, member);
    } else if (this.#form.dropsUndefined) frame.dropped++;
    else refuse("not_json", "undefined");
  }

  /** The copy of one value: complete for a scalar, still empty for a container, `undefined` for no value. */
  #take(original: unknown, key: string | number): unknown {
    const value = isCompound(original) ? this.#form.resolve(original, key) : original;
    switch (typeof value) {
      case "string":
        this.#count(stringText(value).length);
        return value;
      case "number":
        this.#count(numberText(value).length);
        return value;
      case "boolean":
        this.#count(`${value}`.length);
        return value;
      case "object":
        if (value !== null) return this.#open(value);
        this.#count("null".length);
        return null;
      case "undefined":
        return undefined;
      default:
        return refuse("not_json", typeof value);
    }
  }

  #open(container: object): object {
    const frame = isArray(container)
      ? this.walk.openArray(container)
      : this.walk.openObject(container, this.#form.keysOf(container));
    // With its length from the start: an array that grows has room for 17 elements when it has one.
    frame.copy = frame.keys === undefined ? new Array(frame.size) : {};
    return frame.copy;
  }

  #close(frame: Frame): void {
    const commas = Math.max(0, frame.size - frame.dropped - 1);
    this.#count("[]".length + commas);
    this.walk.close(frame);
  }

  // The bound is on the text. It is not written here, so its length is added up.
  #count(characters: number): void {
    this.#textLength += characters;
    if (this.#textLength > MAX_TEXT_LENGTH) refuse("too_long");
  }
}
