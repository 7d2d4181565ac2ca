/**
 * The first few of many, in an order of their own: whatever order they arrive in, the same ones are kept.
 *
 * @module
 */

/** Keeps the `limit` smallest items and counts all. `Place` is what of an item decides its place. */
export class KeptSmallest<Item extends Place, Place = Item> {
  readonly #limit: number;
  readonly #compare: (a: Place, b: Place) => number;
  readonly #items: Item[] = [];
  // Set once there are enough: what comes after it is never among the kept ones.
  #last: Item | undefined;
  count = 0;

  constructor(limit: number, compare: (a: Place, b: Place) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  /** False when there are enough smaller ones already, so that the item need not be made. */
  wants(place: Place): boolean {
    return this.#last === undefined || this.#compare(place, this.#last) < 0;
  }

  add(item: Item): void {
    this.count += 1;
    if (!this.wants(item)) return;
    this.#items.push(item);
    // Sorting now and then is cheaper than a heap, and the code is shorter.
    if (this.#items.length > this.#limit * 2 + 16) this.#cut();
  }

  /** The kept items in order. */
  sorted(): readonly Item[] {
    this.#cut();
    return this.#items;
  }

  #cut(): void {
    this.#items.sort(this.#compare);
    if (this.#items.length < this.#limit) return;
    this.#items.length = this.#limit;
    this.#last = this.#items.at(-1);
  }
}
