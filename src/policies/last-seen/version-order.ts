/**
 * Which of two versions is later, for versions that are numbers.
 *
 * @module
 */

// 7, r7, v3.10.0, 2026-11-30. A pre-release has an order as well, but not one that two people agree on.
const NUMBERS = /^[vr]?(\d{1,15}(?:\.\d{1,15}){0,7})$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The numbers of a version, most weighty first; `undefined` for a version that has no order, such as a commit. */
export function versionNumbers(version: string): readonly number[] | undefined {
  if (DATE.test(version)) return version.split("-").map(Number);
  return NUMBERS.exec(version)?.[1]?.split(".").map(Number);
}

/** Negative when `left` is earlier, zero when they are the same, positive when it is later. `3.1` is `3.1.0`. */
export function compareVersions(left: readonly number[], right: readonly number[]): number {
  const length = Math.max(left.length, right.length);
  for (let place = 0; place < length; place++) {
    const difference = (left[place] ?? 0) - (right[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
