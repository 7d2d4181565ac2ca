/**
 * What a value may at most be. Fixed and without options, so that the same value gets the same answer
 * everywhere: a bound that follows the machine (the native stack, the heap) gives a fingerprint today and none
 * tomorrow.
 *
 * @module
 */

/** Arrays and objects inside one another: `[[]]` has two levels. */
export const MAX_DEPTH = 1_000;

/**
 * Values: the top one, every array element and every own member. Members that are left out of the text count
 * too, since they have to be listed before that is known.
 */
export const MAX_NODES = 1_000_000;

/** Length of the canonical text in UTF-16 code units (`string.length`): 16 Mi. */
export const MAX_TEXT_LENGTH: number = 16 * 1024 * 1024;
