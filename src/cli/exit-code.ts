/**
 * What the exit codes say. The same for every command, and never at odds with the text.
 *
 * @module
 */

/** Exit codes of every command. */
export const EXIT_CODES = {
  ok: 0,
  findings: 1,
  notChecked: 2,
} as const;

/** One of {@link EXIT_CODES}. */
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];
