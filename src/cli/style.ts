/**
 * The few styles of the command line's own words, and when they are used.
 *
 * @module
 */
import type { CliIo, TextOutput } from "./io.ts";

/** Functions that style a text, or give it back as it is. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
}

const ESCAPE = "\u001b[";
const styled =
  (start: number, end: number) =>
  (text: string): string =>
    `${ESCAPE}${start}m${text}${ESCAPE}${end}m`;
const plain = (text: string): string => text;

const COLOURED: Style = {
  bold: styled(1, 22),
  dim: styled(2, 22),
  red: styled(31, 39),
  green: styled(32, 39),
  yellow: styled(33, 39),
};
const PLAIN: Style = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain };

/** The styles for a text that does or does not go to somebody who wants colours. */
export const styleFor = (coloured: boolean): Style => (coloured ? COLOURED : PLAIN);

/**
 * Whether a text may be coloured: never with `--no-color` or `NO_COLOR`, always with `FORCE_COLOR`, otherwise on a
 * terminal that can show it. `util.styleText` is no help: on Node 20 it colours what is no terminal.
 */
export function wantsColour(output: TextOutput, env: CliIo["env"], noColor: boolean): boolean {
  if (noColor || env.NO_COLOR) return false;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return output.isTTY === true && env.TERM !== "dumb";
}
