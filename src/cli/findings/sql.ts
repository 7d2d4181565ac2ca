/**
 * `sql`: the rules as SQL for ClickHouse.
 *
 * @module
 */
import { RULE_IDS, type RuleId } from "../../findings/rules/rule.ts";
import { checkSql, SQL_CHECK_IDS, type SqlCheckId } from "../../findings/sql/checks/check-sql.ts";
import {
  type FindingsQuery,
  FindingsSqlError,
  type FindingsSqlOptions,
  findingsRowsSql,
  findingsSql,
} from "../../findings/sql/findings-sql.ts";
import { quoted } from "../../findings/sql/literals.ts";
import { COMMON_OPTIONS, type Command, command } from "../arguments/command.ts";
import { CliError } from "../cli-error.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { TABLE_OPTIONS, tableScope } from "./table-options.ts";

const ROWS = "trustabl_rows";

/** The command. */
export const sql: Command = command(
  {
    name: "sql",
    summary: "print the rules of findings, and checks of verify, as SQL for ClickHouse",
    usage: ["--rule ID", "--check ID", "--all"],
    options: {
      rule: { value: "ID", help: `The rule: ${RULE_IDS.join(", ")}.` },
      check: { value: "ID", help: `The check: ${SQL_CHECK_IDS.join(", ")}.` },
      all: {
        help: `Every rule, behind a temporary table ${ROWS} that holds what they are evaluated on, so that it is made once.`,
      },
      ...TABLE_OPTIONS,
      run: { value: "ID", help: "Judge the run with this id only." },
      literal: { help: "Read the public rules to the letter, where that differs from what they mean." },
      ...COMMON_OPTIONS,
    },
    exitCodes: ["the SQL is printed", "never given by this command", "an option cannot be used"],
    examples: [
      "otel-labels sql --rule tool_loop",
      "otel-labels sql --check step-order --from 6h",
      "otel-labels sql --all --from 2026-11-30T00:00:00Z | clickhouse-client --multiquery",
    ],
  },
  async (given, io) => {
    const rule = given.text("rule");
    const check = given.text("check");
    const asked = [rule !== undefined, check !== undefined, given.has("all")].filter(Boolean).length;
    if (given.positionals.length > 0 || asked !== 1) {
      throw new CliError("bad_argument", "give one of --rule ID, --check ID and --all");
    }
    const options = tableScope(given);
    try {
      if (check !== undefined && options.literal)
        throw new CliError("bad_option", "--literal is about rules; checks have one reading");
      io.stdout.write(
        check !== undefined
          ? oneQuery(checkSql(check as SqlCheckId, options))
          : rule !== undefined
            ? oneQuery(findingsSql(rule as RuleId, options))
            : allRules(options),
      );
    } catch (error) {
      if (!(error instanceof FindingsSqlError)) throw error;
      throw new CliError("bad_option", error.message);
    }
    return EXIT_CODES.ok;
  },
);

const oneQuery = ({ sql: text, parameters }: FindingsQuery): string =>
  `${settings(parameters)}${text.trimEnd()};\n`;

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
