/**
 * "Has this id been dealt with?" for millions of ids in a fixed amount of memory. Ids are kept as 53-bit
 * hashes in two generations of flat arrays; when one is full the older one is forgotten. A wrong "yes" is less likely
 * than a broken disk and costs an `unknown`.
 *
 * @module
 */

// Entries of one generation: 2 MB of hashes at most twice.
const GENERATION = 131_072;
const SMALLEST = 1_024;

/** A set of ids that forgets the oldest ones. */
export class SeenIds {
  #young = new HashTable();
  #old = new HashTable();

  add(id: string): void {
    if (this.#young.size >= GENERATION) {
      this.#old = this.#young;
      this.#young = new HashTable();
    }
    this.#young.add(hashOf(id));
  }

  has(id: string): boolean {
    if (this.#young.size === 0) return false;
    const hash = hashOf(id);
    return this.#young.has(hash) || this.#old.has(hash);
  }
}

/** Open addressing over a flat array; zero marks a free slot. */
class HashTable {
  size = 0;
  #slots = new Float64Array(SMALLEST);

  has(hash: number): boolean {
    return this.#slots[this.#find(hash)] === hash;
  }

  add(hash: number): void {
    const slot = this.#find(hash);
    if (this.#slots[slot] === hash) return;
    this.#slots[slot] = hash;
    this.size += 1;
    if (this.size * 2 > this.#slots.length) this.#grow();
  }

  #find(hash: number): number {
    const last = this.#slots.length - 1;
    let slot = hash % this.#slots.length;
    while (this.#slots[slot] !== 0 && this.#slots[slot] !== hash) slot = slot === last ? 0 : slot + 1;
    return slot;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Float64Array(before.length * 2);
    for (const hash of before) if (hash !== 0) this.#slots[this.#find(hash)] = hash;
  }
}

// FNV-1a, twice with different starts, for 53 bits. Never zero.
function hashOf(id: string): number {
  let low = 0x811c9dc5;
  let high = 0x1b873593;
  for (let index = 0; index < id.length; index += 1) {
    const code = id.charCodeAt(index);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x01000193);
    high ^= high >>> 15;
  }
  return (high >>> 0) * 2_097_152 + ((low >>> 0) & 0x1fffff) + 1;
}
