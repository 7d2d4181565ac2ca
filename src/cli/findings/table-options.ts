/**
 * The options that say which table of ClickHouse, and which part of it.
 *
 * @module
 */
import type { FindingsSqlOptions } from "../../findings/sql/query-scope.ts";
import type { Arguments, OptionTable } from "../arguments/option.ts";
import { CliError } from "../cli-error.ts";

/** Rows of the help texts. */
export const TABLE_OPTIONS = {
  table: {
    value: "NAME",
    help: "The table of the Collector's ClickHouse exporter, with or without its database; otel_traces unless given.",
  },
  from: {
    value: "TIME",
    help: "Spans that start at this time or later: 2026-11-30T00:00:00Z, or how long ago, such as 90m, 6h or 7d.",
  },
  to: { value: "TIME", help: "Spans that start before this time." },
} as const satisfies OptionTable;

/**
 * What they say.
 *
 * @throws {CliError}
 */
export function tableScope(
  given: Arguments<keyof typeof TABLE_OPTIONS | "run" | "literal">,
): FindingsSqlOptions {
  return {
    table: given.text("table"),
    from: timeOf("--from", given.text("from")),
    to: timeOf("--to", given.text("to")),
    runId: given.text("run"),
    literal: given.has("literal"),
  };
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function timeOf(option: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const [, amount, unit = ""] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const time =
    amount === undefined ? new Date(text) : new Date(Date.now() - Number(amount) * (UNITS[unit] as number));
  if (Number.isNaN(time.getTime())) {
    throw new CliError("bad_option", `${option} needs a time such as 2026-11-30T00:00:00Z or 6h`);
  }
  return time;
}
