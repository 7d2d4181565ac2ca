/**
 * Handing spans to whatever judges them, from files or from a program that runs.
 *
 * @module
 */
import type { SpanSink } from "../../verify/read/span-sink.ts";
import type { CliIo } from "../io.ts";
import type { VerifyRequest } from "./options.ts";
import { createProgress } from "./progress.ts";
import { findExports, readExports } from "./read-exports.ts";
import { type LiveSettings, receiveExports } from "./receive-exports.ts";

/** Hands everything to the sink. False when a file that was named is not there to be read. */
export async function feedSpans(
  sink: SpanSink,
  from: VerifyRequest["from"],
  settings: Omit<LiveSettings, "progress">,
  io: CliIo,
): Promise<boolean> {
  const live = !("files" in from);
  // A program that is run writes on the same terminal.
  const progress = createProgress(io.stderr, !settings.quiet && !(live && from.exec !== undefined));
  if (live) {
    await receiveExports(from, sink, { ...settings, progress }, io);
    return true;
  }
  const { found, errors } = await findExports(from.files, io);
  for (const { message } of errors) {
    io.stderr.write(`otel-labels: ${message}\n`);
    sink.problem({ code: "unreadable", level: "error", message });
  }
  if (errors.length > 0) return false;
  await readExports(found, sink, progress, io);
  progress.clear();
  return true;
}
