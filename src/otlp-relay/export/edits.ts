/**
 * Changing bytes without touching the rest of them. What an export holds besides the labels is copied, never written
 * anew: fields that are unknown today, the order of things and the spelling of numbers all stay.
 *
 * @module
 */

/** The bytes from `start` up to `end` become `bytes`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

/** The changed copy. Edits at the same place keep their order; they must not overlap. */
export function applyEdits(bytes: Uint8Array, edits: readonly Edit[]): Uint8Array {
  if (edits.length === 0) return bytes;
  const pieces: Uint8Array[] = [];
  let copied = 0;
  for (const edit of [...edits].sort((one, other) => one.start - other.start)) {
    pieces.push(bytes.subarray(copied, edit.start), edit.bytes);
    copied = edit.end;
  }
  pieces.push(bytes.subarray(copied));
  return Buffer.concat(pieces);
}
