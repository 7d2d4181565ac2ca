/**
 * Exports from files and standard input, as streams: a file may be larger than memory.
 *
 * @module
 */
import { constants, createReadStream } from "node:fs";
import { access, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { createOtlpReader } from "../../verify/read/otlp-reader.ts";
import type { SpanSink } from "../../verify/read/span-sink.ts";
import type { CliError } from "../cli-error.ts";
import type { CliIo } from "../io.ts";
import { inputName, STDIN, unreadable } from "../read-input.ts";
import { decompressed } from "./decompressed.ts";
import type { Progress } from "./progress.ts";

// Measured: the stream's own 64 KiB take a tenth longer, 1 MiB takes 15 MB more memory.
const CHUNK_BYTES = 262_144;

/** A file that can be opened. */
export interface ExportFile {
  readonly name: string;
  /** Bytes; `undefined` where that is not known before the end. */
  readonly size: number | undefined;
}

/** Looks at every file before any is read: a verdict on half of what was named would be no answer. */
export async function findExports(
  files: readonly string[],
  io: CliIo,
): Promise<{ readonly found: readonly ExportFile[]; readonly errors: readonly CliError[] }> {
  const found: ExportFile[] = [];
  const errors: CliError[] = [];
  for (const name of files) {
    try {
      found.push(name === STDIN ? { name, size: undefined } : await findFile(name, io));
    } catch (error) {
      errors.push(unreadable(name, error));
    }
  }
  return { found, errors };
}

async function findFile(name: string, { cwd }: CliIo): Promise<ExportFile> {
  const path = resolve(cwd, name);
  const found = await stat(path);
  if (found.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
  await access(path, constants.R_OK);
  return { name, size: found.isFile() ? found.size : undefined };
}

/** Reads the files, one after the other. What cannot be read is told to the sink. */
export async function readExports(
  files: readonly ExportFile[],
  sink: SpanSink,
  progress: Progress,
  io: CliIo,
): Promise<void> {
  for (const file of files) await readExport(file, sink, progress, io);
}

async function readExport(
  { name, size }: ExportFile,
  sink: SpanSink,
  progress: Progress,
  io: CliIo,
): Promise<void> {
  const source = inputName(name);
  const reader = createOtlpReader(sink, { source });
  let read = 0;
  const bytes =
    name === STDIN ? io.stdin : createReadStream(resolve(io.cwd, name), { highWaterMark: CHUNK_BYTES });
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
      read += chunk.length;
      progress.show(
        () => `${source}  ${megabytes(read)}${size === undefined ? "" : ` of ${megabytes(size)}`}`,
      );
      yield chunk;
    }
  };
  try {
    for await (const chunk of decompressed(counted())) reader.write(chunk);
  } catch (error) {
    sink.problem({ level: "error", source, ...problemOf(error, name) });
  }
  reader.end();
  if (read === 0) sink.problem({ code: "empty", level: "warning", message: "the input is empty", source });
}

function problemOf(error: unknown, name: string): { readonly code: string; readonly message: string } {
  const { code = "" } = error as NodeJS.ErrnoException;
  // What zlib says of damaged data.
  if (/^(?:Z_|ERR_ZLIB|ZSTD_|ERR__ERROR)/.test(code)) {
    return { code: "bad-compression", message: "the compressed input is damaged or cut off" };
  }
  return { code: "unreadable", message: unreadable(name, error).message };
}

const megabytes = (bytes: number): string =>
  `${(bytes / 1_000_000).toLocaleString("en-US", { maximumFractionDigits: 0 })} MB`;
