/**
 * The form of what other producers write. Their lists of values are not ours; a short word without spaces can be shown.
 *
 * @module
 */

/** The form, for both engines. */
export const WORD_PATTERN = "^[A-Za-z0-9_.:/@+-]{1,128}$";

/** The form as a regular expression. */
export const WORD: RegExp = new RegExp(WORD_PATTERN);
