/**
 * What contracts and calls may at most be. Fixed, so that a contract accepts the same everywhere.
 *
 * @module
 */

/** Schemas inside one another in a contract's input. */
export const MAX_SCHEMA_DEPTH = 32;
/** Schemas in a contract's input. */
export const MAX_SCHEMAS = 10_000;
/** The highest `maxLength`. */
export const MAX_LENGTH = 1_048_576;
/** The highest `maxItems`. */
export const MAX_ITEMS = 10_000;

/** Arrays and objects inside one another in the arguments of a call. */
export const MAX_DEPTH = 64;
/** Values in the arguments of a call: the arguments themselves, every element, every member. */
export const MAX_NODES = 100_000;
/** Length of the arguments' texts, or of their JSON text, in UTF-16 code units. */
export const MAX_TEXT_LENGTH: number = 4 * 1_048_576;

/** Problems told of one call. */
export const MAX_PROBLEMS = 20;
/** Values or names listed in the text of one problem. */
export const MAX_LISTED = 20;
