/**
 * Starts verify-run.ts in a fresh process: the memory of one way must not be the memory of the other.
 *
 * @module
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What one run over a file took. */
export interface FileRun {
  readonly seconds: number;
  /** What a busy machine does not change. */
  readonly processorSeconds: number;
  readonly peakMegabytes: number;
  readonly spans: number;
  /** The verifier's verdict, or the rules that fire. */
  readonly verdict?: string;
}

const program = fileURLToPath(new URL("./verify-run.mjs", import.meta.url));

/** Reads the file in one of the ways of verify-run.ts. */
export function runOverFile(way: "lines" | "verify" | "findings", path: string): FileRun {
  return JSON.parse(execFileSync(process.execPath, [program, way, path], { encoding: "utf8" })) as FileRun;
}
