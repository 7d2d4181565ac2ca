/**
 * Looking into objects that somebody else made: getters that throw, proxies, cycles, lists without an end. All of a
 * review's reading goes through one of these, so that one budget holds for all of it.
 *
 * @module
 */

// A large application has a few hundred tools with a few hundred schema nodes each.
const MOST_LOOKS = 500_000;
const LONGEST_LIST = 4_096;
// A description of a hundred pages is one; what counts here is only whether there are words in it.
const LONGEST_TEXT = 262_144;

/** An object of somebody else. */
export type Foreign = object;

/** Reads members of foreign objects. Never throws. */
export class Looking {
  #left = MOST_LOOKS;
  #faults = 0;

  /** Members that could not be read so far. */
  get faults(): number {
    return this.#faults;
  }

  /** True when the budget is used up: what is read from then on is `undefined`. */
  get isExhausted(): boolean {
    return this.#left <= 0;
  }

  /** A member, inherited ones too; `undefined` when there is none or it cannot be read. */
  member(value: unknown, name: PropertyKey): unknown {
    if (!isForeign(value) || !this.#spend()) return undefined;
    try {
      return Reflect.get(value, name);
    } catch {
      this.#faults += 1;
      return undefined;
    }
  }

  /** A member that is a text of reasonable length. */
  text(value: unknown, name: PropertyKey): string | undefined {
    const text = this.member(value, name);
    return typeof text === "string" ? text.slice(0, LONGEST_TEXT) : undefined;
  }

  /** A member that is an object and no function. */
  object(value: unknown, name: PropertyKey): Foreign | undefined {
    const found = this.member(value, name);
    return typeof found === "object" && found !== null ? found : undefined;
  }

  /** True when the member is a function. */
  hasFunction(value: unknown, name: PropertyKey): boolean {
    return typeof this.member(value, name) === "function";
  }

  /** The elements of a list; `undefined` for what is none. A list that is too long is cut, and that counts as a fault. */
  list(value: unknown): unknown[] | undefined {
    try {
      if (!Array.isArray(value)) return undefined;
      const { length } = value;
      if (length > LONGEST_LIST) this.#faults += 1;
      return Array.from({ length: Math.min(length, LONGEST_LIST) }, (_, index) => this.member(value, index));
    } catch {
      this.#faults += 1;
      return undefined;
    }
  }

  /** The texts of a list; `undefined` for what is no list. */
  texts(value: unknown): string[] | undefined {
    return this.list(value)?.filter((one) => typeof one === "string");
  }

  /** Names of the own enumerable members. Too many are cut, and that counts as a fault. */
  names(value: unknown): string[] {
    if (!isForeign(value) || !this.#spend()) return [];
    try {
      const names = Object.keys(value);
      if (names.length > LONGEST_LIST) this.#faults += 1;
      return names.slice(0, LONGEST_LIST);
    } catch {
      this.#faults += 1;
      return [];
    }
  }

  /** Own enumerable members. */
  entries(value: unknown): [name: string, member: unknown][] {
    return this.names(value).map((name) => [name, this.member(value, name)]);
  }

  /** What a function of somebody else gives; `undefined` when it throws, which is no fault: whoever asks says what it means. */
  result(call: () => unknown): unknown {
    if (!this.#spend()) return undefined;
    try {
      return call();
    } catch {
      return undefined;
    }
  }

  #spend(): boolean {
    if (this.#left <= 0) return false;
    this.#left -= 1;
    if (this.#left === 0) this.#faults += 1;
    return true;
  }
}

/** True for what can have members. */
export const isForeign = (value: unknown): value is Foreign =>
  (typeof value === "object" && value !== null) || typeof value === "function";
