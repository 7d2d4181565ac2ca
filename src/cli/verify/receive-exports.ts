/**
 * Exports that arrive while we watch.
 *
 * @module
 */
import {
  type OtlpReceiver,
  ReceiverError,
  type Refusal,
  type RefusalCode,
  type Rejected,
  startOtlpReceiver,
  type TraceRequest,
} from "../../otlp-receiver/index.ts";
import { countPhrase } from "../../verify/format/phrases.ts";
import { readOtlpValue } from "../../verify/read/otlp-document.ts";
import type { SpanSink } from "../../verify/read/span-sink.ts";
import { CliError } from "../cli-error.ts";
import type { CliIo } from "../io.ts";
import type { LiveRequest } from "./options.ts";
import { type ProgramEnd, startProgram } from "./program.ts";
import type { Progress } from "./progress.ts";

/** What surrounds the receiving. */
export interface LiveSettings {
  readonly keepStdoutFree: boolean;
  readonly quiet: boolean;
  readonly progress: Progress;
}

// Exporters send these again.
const SENT_AGAIN: readonly RefusalCode[] = ["cut_off", "overloaded", "bad_http"];
const IDLE_LOOK_MILLISECONDS = 50;

/**
 * Receives until somebody stops it, the program ends, or nothing has come for as long as asked.
 *
 * @throws {CliError} when it cannot listen
 */
export async function receiveExports(
  live: LiveRequest,
  sink: SpanSink,
  settings: LiveSettings,
  io: CliIo,
): Promise<void> {
  const intake = new Intake(sink, settings.progress);
  const receiver = await listen(live, intake);
  try {
    await untilOver(live, receiver, intake, settings, io);
  } finally {
    await receiver.close();
    settings.progress.clear();
  }
}

async function listen({ address }: LiveRequest, intake: Intake): Promise<OtlpReceiver> {
  try {
    return await startOtlpReceiver({
      ...address,
      onTraces: (request) => intake.take(request),
      onIgnored: (signal) => intake.sink.skipped(signal, 1),
      onRefused: (refusal) => intake.refuse(refusal),
    });
  } catch (error) {
    if (!(error instanceof ReceiverError)) throw error;
    const other =
      error.code === "port_in_use" ? "; choose another port with --listen PORT (0 takes a free one)" : "";
    throw new CliError("cannot_listen", `${error.message}${other}`);
  }
}

function greeting({ exec, idleMilliseconds }: LiveRequest, url: string): string {
  if (exec !== undefined) return `Receiving OTLP/HTTP at ${url} while the program runs.`;
  const end = idleMilliseconds === undefined ? "" : `, and so does a silence of ${idleMilliseconds / 1000} s`;
  return `Receiving OTLP/HTTP at ${url} (OTEL_EXPORTER_OTLP_ENDPOINT). Ctrl-C gives the verdict${end}.`;
}

async function untilOver(
  live: LiveRequest,
  { url }: OtlpReceiver,
  intake: Intake,
  { keepStdoutFree, quiet }: LiveSettings,
  io: CliIo,
): Promise<void> {
  const { exec, idleMilliseconds } = live;
  const program = exec === undefined ? undefined : startProgram(exec, { endpoint: url, keepStdoutFree }, io);
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let forget: () => void = () => {};
  const told = new Promise<void>((resolve) => {
    forget = io.onceStopped((signal) => {
      stopped = true;
      program?.stop(signal);
      if (program === undefined) resolve();
    });
    if (idleMilliseconds === undefined) return;
    timer = setInterval(() => {
      if (!stopped && intake.silence() >= idleMilliseconds) {
        stopped = true;
        program?.stop("SIGTERM");
        if (program === undefined) resolve();
      }
    }, IDLE_LOOK_MILLISECONDS);
  });
  // Not before signals are listened to: a script may answer it with Ctrl-C.
  if (!quiet) io.stderr.write(`${greeting(live, url)}\n`);
  const end = await (program === undefined ? told : program.ended);
  clearInterval(timer);
  forget();
  // A program that we stopped ended as it was told to.
  if (end !== undefined && !stopped) reportEnd(end, intake.sink);
}

function reportEnd({ code, signal }: ProgramEnd, sink: SpanSink): void {
  if (code === 0) return;
  const notRun = code === 126 || code === 127;
  const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
  sink.problem({
    code: notRun ? "program-not-run" : "program-failed",
    level: "error",
    message: notRun
      ? `the program could not be run (${how}): is its name right?`
      : `the program ended with ${how}`,
  });
}

/** Hands exports to the verifier, and remembers when. */
class Intake {
  readonly sink: SpanSink;
  readonly #progress: Progress;
  #exports = 0;
  #spans = 0;
  #last: number | undefined;

  constructor(sink: SpanSink, progress: Progress) {
    this.sink = sink;
    this.#progress = progress;
  }

  /** Milliseconds since the last export; 0 before the first. */
  silence(): number {
    return this.#last === undefined ? 0 : performance.now() - this.#last;
  }

  take(request: TraceRequest): Rejected | undefined {
    let rejected = 0;
    readOtlpValue(request, {
      span: (view) => {
        this.#spans += 1;
        this.sink.span(view);
      },
      problem: (problem) => {
        rejected += 1;
        this.sink.problem(problem);
      },
      skipped: (signal, records) => this.sink.skipped(signal, records),
    });
    this.#last = performance.now();
    this.#exports += 1;
    this.#progress.show(
      () => `${countPhrase(this.#spans, "span")} in ${countPhrase(this.#exports, "export")}`,
    );
    return rejected === 0
      ? undefined
      : { spans: rejected, message: "spans without usable ids, or what is no span, were left out" };
  }

  refuse({ code, message }: Refusal): void {
    const level = SENT_AGAIN.includes(code) ? "warning" : "error";
    this.sink.problem({ code: code.replaceAll("_", "-"), level, message });
  }
}
