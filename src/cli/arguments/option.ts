/**
 * Options of a command as data: parsing, `--help` and docs/command-line.md derive from the same rows.
 *
 * @module
 */

/** One option. */
export interface OptionRow {
  /** What stands for its value in the help text, `FILE`. An option without one is a switch. */
  readonly value?: string;
  /** The value may be left out, and is taken only when it looks like this. */
  readonly optional?: RegExp;
  /** May be given more than once. */
  readonly many?: true;
  /** One or two sentences. */
  readonly help: string;
}

/** Options by name, without the dashes, in the order of the help text. */
export type OptionTable = Readonly<Record<string, OptionRow>>;

/** What was given on the command line. */
export interface Arguments<Name extends string = string> {
  readonly positionals: readonly string[];
  /** True when the option is there, with or without a value. */
  has(name: Name): boolean;
  /** The value; of several the last. `undefined` where the option, or its optional value, is not there. */
  text(name: Name): string | undefined;
  /** Every value, in order. */
  texts(name: Name): readonly string[];
}
