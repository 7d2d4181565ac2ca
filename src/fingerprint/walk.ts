/**
 * Where a walk through a value is: the chain of arrays and objects that are open, with the bounds of depth and
 * number, the test for cycles, and the path for errors.
 *
 * An explicit chain instead of recursion: the native stack ends at another depth in every process, thread and
 * caller, and the same value must get the same answer in all of them. All state belongs to one call, because a
 * getter may start another walk.
 *
 * @module
 */
import { MAX_DEPTH, MAX_NODES } from "./bounds.ts";
import { CanonicalizationError } from "./canonicalization-error.ts";
import type { MemberOrder } from "./member-order.ts";
import { holesMayRead } from "./prototypes.ts";
import { Refusal, refuse } from "./refusal.ts";
import { setOwn } from "./set-own.ts";

/** An array or object that is open. */
export interface Frame {
  readonly parent: Frame | undefined;
  /** 1 for the outermost. */
  readonly depth: number;
  readonly container: object;
  /** Elements, or own members. */
  readonly size: number;
  /** The keys in the object's own order; `undefined` for an array. */
  readonly keys: readonly string[] | undefined;
  /** Set by a walk that reads the members in the order of the text instead of their own. */
  order: MemberOrder | undefined;
  /** The element or member that is being read: a place in `order` if there is one, else in `keys` or the array. */
  index: number;
  /** Members that turned out to be no value. */
  dropped: number;
  /** Set by a walk that copies: the copy of the container. */
  copy: object | undefined;
}

// To here the chain itself is searched; on values of everyday depth a Set costs more than it saves.
const SEARCHED_DEPTH = 32;

export class Walk {
  top: Frame | undefined = undefined;
  #nodes = 1;
  #ancestors: Set<object> | undefined = undefined;
  #holesMayRead: boolean | undefined = undefined;

  openArray(array: readonly unknown[]): Frame {
    const size = lengthOf(array);
    const frame = this.#open(array, undefined, size);
    // Asked once in a walk: it costs as much as opening an array.
    this.#holesMayRead ??= holesMayRead();
    if (this.#holesMayRead)
      for (let index = 0; index < size; index++)
        if (!Object.hasOwn(array, index)) refuse("array_hole", undefined, index);
    return frame;
  }

  openObject(object: object, keys: readonly string[]): Frame {
    return this.#open(object, keys, keys.length);
  }

  #open(container: object, keys: readonly string[] | undefined, size: number): Frame {
    const depth = (this.top?.depth ?? 0) + 1;
    if (depth > MAX_DEPTH) refuse("too_deep");
    this.#refuseCycle(container, depth);
    // Counted before anything is read, so that an array that is too long is refused at once.
    this.#nodes += size;
    if (this.#nodes > MAX_NODES) refuse("too_many_nodes");
    this.top = {
      parent: this.top,
      depth,
      container,
      size,
      keys,
      order: undefined,
      index: -1,
      dropped: 0,
      copy: undefined,
    };
    return this.top;
  }

  /** Closes the innermost container; the answer is the one around it. */
  close(frame: Frame): Frame | undefined {
    this.#ancestors?.delete(frame.container);
    this.top = frame.parent;
    return this.top;
  }

  #refuseCycle(container: object, depth: number): void {
    if (this.#ancestors === undefined) {
      for (let frame = this.top; frame !== undefined; frame = frame.parent)
        if (frame.container === container) refuse("cycle");
      if (depth <= SEARCHED_DEPTH) return;
      this.#ancestors = new Set();
      for (let frame = this.top; frame !== undefined; frame = frame.parent)
        this.#ancestors.add(frame.container);
    } else if (this.#ancestors.has(container)) refuse("cycle");
    this.#ancestors.add(container);
  }

  /** The error for what was thrown during this walk. */
  error(thrown: unknown): CanonicalizationError {
    const refusal = Refusal.is(thrown) ? thrown : undefined;
    const path: number[] = [];
    for (let frame = this.top; frame !== undefined; frame = frame.parent) {
      const index = (frame === this.top ? refusal?.index : undefined) ?? ownIndex(frame);
      // Before its first and after its last member, a container is itself what is meant.
      if (index >= 0 && index < frame.size) setOwn(path, frame.depth - 1, index);
    }
    return new CanonicalizationError(refusal?.code ?? "unreadable", path, refusal?.kind);
  }
}

/** The place of the element or member that is being read, in its container's own order. */
function ownIndex({ index, keys, order }: Frame): number {
  return keys === undefined || order === undefined ? index : keys.indexOf(order.sorted[index]!);
}

/** The length of an array. A proxy may say anything, which is read as the language does. */
function lengthOf(array: readonly unknown[]): number {
  const length = Math.trunc(+array.length);
  return Number.isNaN(length) ? 0 : Math.max(length, 0);
}

/** Refuses an element that is `undefined`. JSON would send `null` for it, and for a hole. */
export function refuseUndefinedElement({ container, index }: Frame): never {
  return Object.hasOwn(container, index) ? refuse("not_json", "undefined") : refuse("array_hole");
}
