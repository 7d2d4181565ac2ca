/**
 * `sql`: the rules as SQL for ClickHouse.
 *
 * @module
 */
import { RULE_IDS, type RuleId } from "../../findings/rules/rule.ts";
import {
  FindingsSqlError,
  type FindingsSqlOptions,
  findingsRowsSql,
  findingsSql,
} from "../../findings/sql/findings-sql.ts";
import { quoted } from "../../findings/sql/literals.ts";
import { COMMON_OPTIONS, type Command, command } from "../arguments/command.ts";
import { CliError } from "../cli-error.ts";
import { EXIT_CODES } from "../exit-code.ts";

const ROWS = "trustabl_rows";

/** The command. */
export const sql: Command = command(
  {
    name: "sql",
    summary: "print the rules of findings as SQL for ClickHouse",
    usage: ["--rule ID", "--all"],
    options: {
      rule: { value: "ID", help: `The rule: ${RULE_IDS.join(", ")}.` },
      all: {
        help: `Every rule, behind a temporary table ${ROWS} that holds what they are evaluated on, so that it is made once.`,
      },
      table: {
        value: "NAME",
        help: "The exporter's table, with or without its database; otel_traces unless given.",
      },
      from: { value: "TIME", help: "Spans that start at this time or later, such as 2026-11-30T00:00:00Z." },
      to: { value: "TIME", help: "Spans that start before this time." },
      run: { value: "ID", help: "Judge the run with this id only." },
      literal: { help: "Read the public rules to the letter, where that differs from what they mean." },
      ...COMMON_OPTIONS,
    },
    exitCodes: ["the SQL is printed", "never given by this command", "an option cannot be used"],
    examples: [
      "otel-labels sql --rule tool_loop",
      "otel-labels sql --all --from 2026-11-30T00:00:00Z | clickhouse-client --multiquery",
    ],
  },
  async (given, io) => {
    const rule = given.text("rule");
    if (given.positionals.length > 0 || (rule === undefined) === !given.has("all")) {
      throw new CliError("bad_argument", "give one of --rule ID and --all");
    }
    const options: FindingsSqlOptions = {
      table: given.text("table"),
      from: timeOf("--from", given.text("from")),
      to: timeOf("--to", given.text("to")),
      runId: given.text("run"),
      literal: given.has("literal"),
    };
    try {
      io.stdout.write(rule === undefined ? allRules(options) : oneRule(rule as RuleId, options));
    } catch (error) {
      if (!(error instanceof FindingsSqlError)) throw error;
      throw new CliError("bad_option", error.message);
    }
    return EXIT_CODES.ok;
  },
);

function oneRule(rule: RuleId, options: FindingsSqlOptions): string {
  const query = findingsSql(rule, options);
  return `${settings(query.parameters)}${query.sql.trimEnd()};\n`;
}

function allRules(options: FindingsSqlOptions): string {
  const rows = findingsRowsSql(options);
  return [
    `${settings(rows.parameters)}-- What every rule is evaluated on. It goes away with the session.`,
    `CREATE TEMPORARY TABLE ${ROWS} AS\n${rows.sql.trimEnd()};\n`,
    ...RULE_IDS.map((rule) => `${findingsSql(rule, { ...options, rows: ROWS }).sql.trimEnd()};\n`),
  ].join("\n");
}

// Values stay apart from the SQL, as they do in a program.
const settings = (parameters: Readonly<Record<string, string>>): string =>
  Object.entries(parameters)
    .map(([name, value]) => `SET param_${name} = ${quoted(value)};\n`)
    .join("");

function timeOf(option: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) {
    throw new CliError("bad_option", `${option} needs a time such as 2026-11-30T00:00:00Z`);
  }
  return time;
}
