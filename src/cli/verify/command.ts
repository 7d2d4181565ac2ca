/**
 * `verify`: the checks on exported spans.
 *
 * @module
 */
import { createFindings } from "../../findings/engine/stream-findings.ts";
import { isSevereFinding } from "../../findings/finding.ts";
import type { FindingsOptions } from "../../findings/options.ts";
import { createVerifier, type Verifier } from "../../verify/engine/verifier.ts";
import { type VerifyOptions, VerifyOptionsError } from "../../verify/options.ts";
import type { Report } from "../../verify/report.ts";
import { type Command, command } from "../arguments/command.ts";
import { CliError } from "../cli-error.ts";
import { EXIT_CODES, type ExitCode } from "../exit-code.ts";
import type { CliIo } from "../io.ts";
import { readInput } from "../read-input.ts";
import { bothSinks } from "./both-sinks.ts";
import { feedSpans } from "./feed-spans.ts";
import { readRequest, VERIFY_OPTIONS, type VerifyRequest } from "./options.ts";
import { spareInputs } from "./output-file.ts";
import { isForPrograms, writeReport } from "./write-report.ts";

const LONGEST_SECRETS = 1_048_576;
const LONGEST_KEY = 1_048_576;
const PAGE_RUNS = 20;

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
    const files = "files" in request.from ? request.from.files : [];
    await spareInputs(request.output, [...files, request.secretsFile, request.fingerprintKeyFile], io.cwd);
    const options = await optionsOf(request, io);
    const verifier = makeVerifier(options);
    const rules = request.findings ? createFindings(rulesOptions(request, options)) : undefined;
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

async function optionsOf(
  { verify: options, secretsFile, fingerprintKeyFile: keyFile }: VerifyRequest,
  io: CliIo,
): Promise<VerifyOptions> {
  const more = secretsFile === undefined ? [] : linesOf(await readInput(secretsFile, LONGEST_SECRETS, io));
  const key = keyFile === undefined ? undefined : await readInput(keyFile, LONGEST_KEY, io);
  const secrets = [...(options.secrets ?? []), ...more];
  return { ...options, secrets, fingerprint: key === undefined ? options.fingerprint : { key } };
}

function makeVerifier(options: VerifyOptions): Verifier {
  try {
    return createVerifier(options);
  } catch (error) {
    if (!(error instanceof VerifyOptionsError)) throw error;
    if (error.code === "invalid_fingerprint") {
      throw new CliError(
        "bad_option",
        "--fingerprint-key needs a file of 32 bytes or more, which are the key",
      );
    }
    throw new CliError("bad_option", error.message);
  }
}

// The same run, the same secrets, and on a page as many runs with findings as there are others.
const rulesOptions = ({ format }: VerifyRequest, { run, secrets }: VerifyOptions): FindingsOptions => ({
  run,
  secrets,
  maxRuns: format === "html" ? PAGE_RUNS : 0,
});

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
