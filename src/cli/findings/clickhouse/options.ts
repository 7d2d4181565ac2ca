/**
 * The options of `findings --clickhouse`, and the report that they ask for.
 *
 * @module
 */
import type { FindingsReport } from "../../../findings/finding.ts";
import { FindingsOptionsError, settingsOf } from "../../../findings/options.ts";
import { RULE_IDS, type RuleId } from "../../../findings/rules/rule.ts";
import { FindingsSqlError } from "../../../findings/sql/literals.ts";
import type { Arguments, OptionTable } from "../../arguments/option.ts";
import { CliError } from "../../cli-error.ts";
import type { CliIo } from "../../io.ts";
import { parseDuration } from "../../verify/option-values.ts";
import { createProgress } from "../../verify/progress.ts";
import { TABLE_OPTIONS, tableScope } from "../table-options.ts";
import { clickHouseAddress } from "./address.ts";
import { findingsOfTable } from "./findings-report.ts";
import { ClickHouseReader } from "./reader.ts";

const DEFAULT_TIMEOUT = "5m";

/** Rows of `findings --help`. */
export const CLICKHOUSE_OPTIONS = {
  clickhouse: {
    value: "URL",
    help: "Ask a ClickHouse server, such as http://localhost:8123, instead of reading a file. Nothing there is changed. User and password are CLICKHOUSE_USER and CLICKHOUSE_PASSWORD in the environment, or stand in the URL.",
  },
  ...TABLE_OPTIONS,
  timeout: {
    value: "TIME",
    help: `With --clickhouse: how long one query may take, such as 90s; ${DEFAULT_TIMEOUT} unless given.`,
  },
} as const satisfies OptionTable;

type Given = Arguments<
  keyof typeof CLICKHOUSE_OPTIONS | "run" | "literal" | "only" | "ignore" | "listen" | "exec" | "idle"
>;

/**
 * True where a server is to be asked.
 *
 * @throws {CliError} on options that do not go together
 */
export function asksClickHouse(given: Given): boolean {
  const asks = given.has("clickhouse");
  const files = given.positionals.length > 0 || given.has("listen") || given.has("exec") || given.has("idle");
  if (asks && files) {
    throw new CliError("bad_argument", "give files, --listen, --exec or --clickhouse, but only one of them");
  }
  const forServer = ["table", "from", "to", "timeout"] as const;
  if (!asks && forServer.some((name) => given.has(name))) {
    throw new CliError("bad_option", "--table, --from, --to and --timeout go with --clickhouse");
  }
  return asks;
}

/**
 * The report of the server that is named.
 *
 * @throws {CliError}
 */
export async function clickHouseReport(
  given: Given,
  ids: { readonly only: readonly RuleId[] | undefined; readonly ignore: readonly RuleId[] },
  quiet: boolean,
  io: CliIo,
): Promise<FindingsReport> {
  const address = clickHouseAddress(given.text("clickhouse") ?? "", io);
  const milliseconds = parseDuration("--timeout", given.text("timeout") ?? DEFAULT_TIMEOUT);
  const progress = createProgress(io.stderr, !quiet);
  try {
    const { rules } = settingsOf(ids);
    return await findingsOfTable(
      new ClickHouseReader(address, milliseconds),
      RULE_IDS.filter((id) => rules.has(id)),
      tableScope(given),
      progress,
    );
  } catch (error) {
    if (error instanceof FindingsOptionsError || error instanceof FindingsSqlError)
      throw new CliError("bad_option", error.message);
    throw error;
  } finally {
    progress.clear();
  }
}
