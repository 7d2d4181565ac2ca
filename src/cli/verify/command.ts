/**
 * `verify`: the checks on exported spans.
 *
 * @module
 */
import { createFindings } from "../../findings/engine/stream-findings.ts";
import { isSevereFinding } from "../../findings/finding.ts";
import { createVerifier, type Verifier } from "../../verify/engine/verifier.ts";
import { VerifyOptionsError } from "../../verify/options.ts";
import type { Report } from "../../verify/report.ts";
import { type Command, command } from "../arguments/command.ts";
import { CliError } from "../cli-error.ts";
import { EXIT_CODES, type ExitCode } from "../exit-code.ts";
import type { CliIo } from "../io.ts";
import { readInput } from "../read-input.ts";
import { bothSinks } from "./both-sinks.ts";
import { feedSpans } from "./feed-spans.ts";
import { readRequest, VERIFY_OPTIONS, type VerifyRequest } from "./options.ts";
import { isForPrograms, writeReport } from "./write-report.ts";

const LONGEST_SECRETS = 1_048_576;

/** The command. */
export const verify: Command = command(
  {
    name: "verify",
    summary: "check the labels on exported spans",
    usage: ["FILE|-...", "--listen [PORT] [--idle TIME]", "--exec COMMAND"],
    options: VERIFY_OPTIONS,
    exitCodes: [
      "everything that could be checked passes",
      "something was found, part of the input could not be read, or the program of --exec failed",
      "nothing was checked: no spans, no labels, a file that cannot be read, or an option that cannot be used",
    ],
    examples: [
      "otel-labels verify traces.jsonl",
      "zcat traces.jsonl.gz | otel-labels verify - --format json",
      'otel-labels verify --exec "node app.js"',
      "otel-labels verify --listen 4318 --idle 5s --format html --output report.html",
    ],
  },
  async (given, io) => {
    const request = readRequest(given);
    const verifier = await makeVerifier(request, io);
    const rules = request.findings ? createFindings({ run: request.verify.run }) : undefined;
    const stillOk = await feedSpans(
      rules === undefined ? verifier : bothSinks(verifier, rules),
      request.from,
      { quiet: request.quiet, keepStdoutFree: isForPrograms(request) },
      io,
    );
    const report = verifier.finish();
    const found = rules?.finish();
    if (stillOk || isForPrograms(request)) await writeReport({ report, findings: found }, request, io);
    if (!stillOk) return EXIT_CODES.notChecked;
    const code = exitCodeOf(report, request, io);
    return code === EXIT_CODES.ok && found?.findings.some(isSevereFinding) ? EXIT_CODES.findings : code;
  },
);

async function makeVerifier({ verify: options, secretsFile }: VerifyRequest, io: CliIo): Promise<Verifier> {
  const more = secretsFile === undefined ? [] : linesOf(await readInput(secretsFile, LONGEST_SECRETS, io));
  try {
    return createVerifier({ ...options, secrets: [...(options.secrets ?? []), ...more] });
  } catch (error) {
    if (!(error instanceof VerifyOptionsError)) throw error;
    throw new CliError("bad_option", error.message);
  }
}

const linesOf = (bytes: Buffer): string[] =>
  bytes
    .toString("utf8")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "");

function exitCodeOf(report: Report, { maxWarnings }: VerifyRequest, io: CliIo): ExitCode {
  if (report.verdict === "nothing-to-check") return EXIT_CODES.notChecked;
  if (report.verdict === "fail") return EXIT_CODES.findings;
  const warnings = report.checks
    .filter(({ level }) => level === "warning")
    .reduce((sum, { counts }) => sum + counts.fail, 0);
  if (maxWarnings === undefined || warnings <= maxWarnings) return EXIT_CODES.ok;
  io.stderr.write(`${warnings} warnings are more than --max-warnings ${maxWarnings}\n`);
  return EXIT_CODES.findings;
}
