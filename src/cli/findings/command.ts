/**
 * `findings`: the rules about what agents do, on exported spans.
 *
 * @module
 */
import { resolve } from "node:path";
import { createFindings, type FindingsSink } from "../../findings/engine/stream-findings.ts";
import { type FindingsReport, isSevereFinding, type RuleFinding } from "../../findings/finding.ts";
import {
  FINDINGS_FORMATS,
  type FindingsFormat,
  formatFindings,
} from "../../findings/format/format-findings.ts";
import { findingLine, findingsSummary } from "../../findings/format/phrases.ts";
import { FindingsOptionsError } from "../../findings/options.ts";
import { RULE_IDS, type RuleId } from "../../findings/rules/rule.ts";
import { COMMON_OPTIONS, type Command, command } from "../arguments/command.ts";
import type { Arguments } from "../arguments/option.ts";
import { CliError } from "../cli-error.ts";
import { EXIT_CODES, type ExitCode } from "../exit-code.ts";
import type { CliIo } from "../io.ts";
import { wantsColour } from "../style.ts";
import { feedSpans } from "../verify/feed-spans.ts";
import { readSource, VERIFY_OPTIONS } from "../verify/options.ts";
import { outputFile, spareInputs } from "../verify/output-file.ts";
import { writeWhole } from "../write-whole.ts";
import { asksClickHouse, CLICKHOUSE_OPTIONS, clickHouseReport } from "./clickhouse/options.ts";

const { listen, exec, idle, output } = VERIFY_OPTIONS;

const OPTIONS = {
  listen,
  exec,
  idle,
  ...CLICKHOUSE_OPTIONS,
  format: { value: "FORMAT", help: `One of ${FINDINGS_FORMATS.join(", ")}; text unless given.` },
  output,
  quiet: { help: "Say nothing when no rule fires, and show no progress and no findings while spans arrive." },
  literal: { help: "Read the public rules to the letter, where that differs from what they mean." },
  only: {
    value: "RULE",
    many: true,
    help: "Evaluate this rule only. May be given more than once, or with commas.",
  },
  ignore: { value: "RULE", many: true, help: `Leave this rule out. The rules are ${RULE_IDS.join(", ")}.` },
  run: { value: "ID", help: "Judge the run with this id only." },
  ...COMMON_OPTIONS,
} as const;

type Given = Arguments<keyof typeof OPTIONS>;

/** The command. */
export const findings: Command = command(
  {
    name: "findings",
    summary: "find loops, retry storms, unguarded calls and missing policies",
    usage: ["FILE|-...", "--listen [PORT] [--idle TIME]", "--exec COMMAND", "--clickhouse URL"],
    options: OPTIONS,
    exitCodes: [
      "no rule of high or critical severity fires",
      "one fires, part of the input could not be read, or the program of --exec failed",
      "nothing was judged: no spans, no labels, a file that cannot be read, a server that cannot be asked, or an option that cannot be used",
    ],
    examples: [
      "otel-labels findings traces.jsonl",
      "otel-labels findings traces.jsonl --only tool_loop,retry_storm --format json",
      'otel-labels findings --exec "node app.js"',
      "otel-labels findings --clickhouse http://localhost:8123 --table otel.otel_traces --from 6h",
    ],
  },
  async (given, io) => {
    const format = formatOf(given.text("format") ?? "text");
    const toFile = outputFile(given.text("output"));
    const quiet = given.has("quiet");
    if (asksClickHouse(given)) {
      const report = await clickHouseReport(given, askedRules(given), quiet, io);
      await write(report, { format, toFile, quiet, noColor: given.has("no-color") }, io);
      return exitCodeOf(report, io);
    }
    const from = readSource(given);
    await spareInputs(toFile, "files" in from ? from.files : [], io.cwd);
    const live = !("files" in from) && !quiet;
    const sink = makeSink(
      given,
      live ? (finding) => io.stderr.write(`${findingLine(finding)}\n`) : undefined,
    );
    const keepStdoutFree = format !== "text" && toFile === undefined;
    const stillOk = await feedSpans(sink, from, { quiet, keepStdoutFree }, io);
    const report = sink.finish();
    if (stillOk || keepStdoutFree)
      await write(report, { format, toFile, quiet, noColor: given.has("no-color") }, io);
    return stillOk ? exitCodeOf(report, io) : EXIT_CODES.notChecked;
  },
);

// As many runs as a page of verify shows.
const PAGE_RUNS = 20;

function makeSink(given: Given, onFinding: ((finding: RuleFinding) => void) | undefined): FindingsSink {
  try {
    return createFindings({
      ...askedRules(given),
      run: given.text("run"),
      literal: given.has("literal"),
      maxRuns: given.text("format") === "html" ? PAGE_RUNS : 0,
      onFinding,
    });
  } catch (error) {
    if (!(error instanceof FindingsOptionsError)) throw error;
    throw new CliError("bad_option", error.message);
  }
}

const askedRules = (given: Given): { readonly only: RuleId[] | undefined; readonly ignore: RuleId[] } => ({
  only: given.has("only") ? ruleIds(given.texts("only")) : undefined,
  ignore: ruleIds(given.texts("ignore")),
});

// Names that do not exist are refused by the evaluator, which lists those that do.
const ruleIds = (texts: readonly string[]): RuleId[] =>
  texts.flatMap((text) => text.split(",")).map((text) => text.trim()) as RuleId[];

function formatOf(text: string): FindingsFormat {
  const format = FINDINGS_FORMATS.find((one) => one === text);
  if (format === undefined) {
    throw new CliError("bad_option", `--format is one of ${FINDINGS_FORMATS.join(", ")}`);
  }
  return format;
}

interface Target {
  readonly format: FindingsFormat;
  readonly toFile: string | undefined;
  readonly quiet: boolean;
  readonly noColor: boolean;
}

async function write(report: FindingsReport, target: Target, io: CliIo): Promise<void> {
  const { format, toFile, quiet, noColor } = target;
  if (toFile !== undefined) {
    await writeWhole(resolve(io.cwd, toFile), formatFindings(report, { format }), toFile);
  } else if (format !== "text" || !quiet || report.findings.length > 0 || report.unreadable > 0) {
    io.stdout.write(formatFindings(report, { format, color: wantsColour(io.stdout, io.env, noColor) }));
  }
  if (!quiet && (format !== "text" || toFile !== undefined)) io.stderr.write(`${findingsSummary(report)}\n`);
}

function exitCodeOf(report: FindingsReport, io: CliIo): ExitCode {
  const damaged = report.problems.some(({ level }) => level === "error");
  if (report.findings.some(isSevereFinding)) return EXIT_CODES.findings;
  if (report.rules.some(({ outcome }) => outcome !== "not-applicable"))
    return damaged ? EXIT_CODES.findings : EXIT_CODES.ok;
  const why = damaged
    ? "put right first what is said of the input"
    : 'there are no spans, or none with the labels that the rules need; "otel-labels verify" says what is missing';
  io.stderr.write(`nothing was judged: ${why}\n`);
  return EXIT_CODES.notChecked;
}
