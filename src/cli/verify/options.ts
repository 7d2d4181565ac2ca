/**
 * The options of `verify`, and what they mean together.
 *
 * @module
 */
import { DEFAULT_PORT } from "../../otlp-receiver/index.ts";
import { CHECK_IDS, type CheckId } from "../../verify/checks/check-id.ts";
import { REPORT_FORMATS } from "../../verify/format/format-report.ts";
import type { VerifyOptions } from "../../verify/options.ts";
import { COMMON_OPTIONS } from "../arguments/command.ts";
import type { Arguments, OptionTable } from "../arguments/option.ts";
import { CliError } from "../cli-error.ts";
import { type Address, parseAddress, parseCount, parseDuration } from "./option-values.ts";
import { outputFile } from "./output-file.ts";

/** What a report can be written as. */
export const FORMATS = [...REPORT_FORMATS, "html"] as const;

/** One of {@link FORMATS}. */
export type Format = (typeof FORMATS)[number];

/** The rows of `verify --help`. */
export const VERIFY_OPTIONS = {
  listen: {
    value: "PORT",
    optional: /^(?:[\w.\-[\]:]+:)?\d+$/,
    help: `Receive OTLP/HTTP (JSON and protobuf) on 127.0.0.1, port ${DEFAULT_PORT} unless given; 0 takes a free one. Ctrl-C gives the verdict. HOST:PORT listens elsewhere, and takes spans from anybody who can reach it.`,
  },
  exec: {
    value: "COMMAND",
    help: "Run a program that exports to the receiver (OTEL_EXPORTER_OTLP_ENDPOINT is set for it), and give the verdict when it ends. A program that fails is a finding.",
  },
  idle: {
    value: "TIME",
    help: "Give the verdict when no spans have come for this long, such as 5s, after the first ones came.",
  },
  findings: {
    help: "Evaluate the rules of otel-labels findings too, and show what they find. A finding of high or critical severity is one here too.",
  },
  format: { value: "FORMAT", help: `One of ${FORMATS.join(", ")}; text unless given.` },
  output: {
    value: "FILE",
    help: "Write the report to a file, whole or not at all, instead of standard output.",
  },
  quiet: { help: "Say nothing when everything passes, and show no progress." },
  strict: { help: "What cannot be told counts as a failure, and so do warnings." },
  "max-warnings": { value: "N", help: "Exit with 1 when there are more warnings than this." },
  only: {
    value: "CHECK",
    many: true,
    help: "Make this check only. May be given more than once, or with commas.",
  },
  ignore: {
    value: "CHECK",
    many: true,
    help: `Leave this check out. The checks are ${CHECK_IDS.join(", ")}.`,
  },
  run: { value: "ID", help: "Judge the run with this id only." },
  secret: {
    value: "TEXT",
    many: true,
    help: "A text that must appear in no label. Other users of the machine can see it; see --secrets.",
  },
  secrets: { value: "FILE", help: "A file with such texts, one a line." },
  "fingerprint-key": {
    value: "FILE",
    help: "Fingerprints are keyed, and the bytes of this file are the key: they are recomputed with it. The key is not shown.",
  },
  "keyed-fingerprints": {
    help: 'Fingerprints are keyed with a key that nobody has, as those of fingerprint: "run" are: they cannot be recomputed, and one without a key is a finding.',
  },
  ...COMMON_OPTIONS,
} as const satisfies OptionTable;

/** What was asked for. */
export interface VerifyRequest {
  readonly verify: VerifyOptions;
  /** Evaluate the rules too. */
  readonly findings: boolean;
  readonly format: Format;
  readonly output: string | undefined;
  readonly quiet: boolean;
  readonly noColor: boolean;
  readonly maxWarnings: number | undefined;
  readonly secretsFile: string | undefined;
  readonly fingerprintKeyFile: string | undefined;
  readonly from: { readonly files: readonly string[] } | LiveRequest;
}

/** Spans that are not there yet. */
export interface LiveRequest {
  readonly address: Address;
  /** Shell command. */
  readonly exec: string | undefined;
  readonly idleMilliseconds: number | undefined;
}

/**
 * Reads the options.
 *
 * @throws {CliError}
 */
export function readRequest(given: Arguments<keyof typeof VERIFY_OPTIONS>): VerifyRequest {
  const format = given.text("format") ?? "text";
  if (!isFormat(format)) throw new CliError("bad_option", `--format is one of ${FORMATS.join(", ")}`);
  const maxWarnings = given.text("max-warnings");
  if (given.has("fingerprint-key") && given.has("keyed-fingerprints")) {
    throw new CliError("bad_option", "give --fingerprint-key or --keyed-fingerprints, but not both");
  }
  return {
    verify: {
      strict: given.has("strict"),
      only: given.has("only") ? checkIds(given.texts("only")) : undefined,
      ignore: checkIds(given.texts("ignore")),
      run: given.text("run"),
      secrets: given.texts("secret"),
      fingerprint: given.has("keyed-fingerprints") ? "keyed" : undefined,
    },
    findings: given.has("findings"),
    format,
    output: outputFile(given.text("output")),
    quiet: given.has("quiet"),
    noColor: given.has("no-color"),
    maxWarnings: maxWarnings === undefined ? undefined : parseCount("--max-warnings", maxWarnings),
    secretsFile: given.text("secrets"),
    fingerprintKeyFile: given.text("fingerprint-key"),
    from: readSource(given),
  };
}

/**
 * Where spans come from.
 *
 * @throws {CliError}
 */
export function readSource(given: Arguments<"listen" | "exec" | "idle">): VerifyRequest["from"] {
  const live = given.has("listen") || given.has("exec");
  const files = given.positionals;
  const port = given.text("listen");
  if (live && files.length > 0) {
    throw new CliError("bad_argument", `give files, or --listen and --exec, but not both${mistake(given)}`);
  }
  if (given.text("exec")?.trim() === "") throw new CliError("bad_option", "--exec needs a command to run");
  if (!live && given.has("idle")) throw new CliError("bad_option", "--idle goes with --listen or --exec");
  if (!live && files.length === 0) {
    throw new CliError(
      "bad_argument",
      "give an export to check: a FILE, - for standard input, --listen, or --exec COMMAND",
    );
  }
  if (!live) return { files };
  const idle = given.text("idle");
  const otherwise = given.has("listen") ? DEFAULT_PORT : 0;
  return {
    address: port === undefined ? { host: "127.0.0.1", port: otherwise } : parseAddress("--listen", port),
    exec: given.text("exec"),
    idleMilliseconds: idle === undefined ? undefined : parseDuration("--idle", idle),
  };
}

// How a word becomes a file by mistake.
function mistake(given: Arguments<"listen" | "exec">): string {
  if (given.has("exec")) return '; a command of several words stands in quotes: --exec "node app.js"';
  return given.text("listen") === undefined ? "; --listen takes a port, or HOST:PORT" : "";
}

const isFormat = (text: string): text is Format => (FORMATS as readonly string[]).includes(text);

// Names that do not exist are refused by the verifier, which lists those that do.
const checkIds = (texts: readonly string[]): CheckId[] =>
  texts.flatMap((text) => text.split(",")).map((text) => text.trim()) as CheckId[];
