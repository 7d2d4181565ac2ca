/**
 * Values of options: counts, durations, addresses.
 *
 * @module
 */
import { CliError } from "../cli-error.ts";

/** Where to listen. */
export interface Address {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };
const LONGEST_MILLISECONDS = 24 * 3_600_000;
const HIGHEST_PORT = 65_535;

/** A whole number of 0 or more. */
export function parseCount(option: string, text: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new CliError("bad_option", `${option} needs a whole number of 0 or more`);
  return Number(text);
}

/** `5s`, `500ms`, `2m`, or seconds without a unit; in milliseconds. */
export function parseDuration(option: string, text: string): number {
  const [, amount, unit = "s"] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m)?$/.exec(text) ?? [];
  const milliseconds = Number(amount) * (UNITS[unit] as number);
  if (!(milliseconds > 0 && milliseconds <= LONGEST_MILLISECONDS)) {
    throw new CliError("bad_option", `${option} needs a time such as 5s, 500ms or 2m`);
  }
  return milliseconds;
}

/** `4318`, `0.0.0.0:4318` or `[::1]:4318`. */
export function parseAddress(option: string, text: string): Address {
  const [, host = "127.0.0.1", port] = /^(?:\[?([\w.\-:]+?)\]?:)?(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > HIGHEST_PORT) {
    throw new CliError("bad_option", `${option} needs a port from 0 to ${HIGHEST_PORT}, or HOST:PORT`);
  }
  return { host, port: Number(port) };
}
