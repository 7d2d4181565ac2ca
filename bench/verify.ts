/**
 * How fast an export is verified, against the least that any program has to do: read the lines and parse them. In fresh
 * processes, since the memory of one must not be the memory of the other.
 *
 * @module
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Effort, QUICK } from "./harness.ts";
import { writeTraceFile } from "./trace-file.ts";

interface Run {
  readonly seconds: number;
  readonly peakMegabytes: number;
  readonly spans: number;
  readonly verdict?: string;
}

const program = fileURLToPath(new URL("./verify-run.mjs", import.meta.url));

/** The table, as Markdown. */
export function verifyTable(effort: Effort): string {
  const folder = mkdtempSync(join(tmpdir(), "otel-labels-bench-"));
  try {
    const path = join(folder, "traces.jsonl");
    writeTraceFile(path, effort === QUICK ? 50e6 : 1e9);
    const megabytes = statSync(path).size / 1e6;
    const run = (way: string) =>
      JSON.parse(execFileSync(process.execPath, [program, way, path], { encoding: "utf8" })) as Run;
    const [bound, ours] = [run("lines"), run("verify")];
    if (ours.verdict !== "pass") throw new Error(`the benchmark's own file does not pass: ${ours.verdict}`);
    const row = (name: string, { seconds, peakMegabytes }: Run) =>
      `| ${name} | ${(megabytes / seconds).toFixed(0)} MB/s | ${(seconds / bound.seconds).toFixed(1)} | ${peakMegabytes.toFixed(0)} MB |`;
    return [
      `| ${megabytes.toFixed(0)} MB of JSON Lines, ${ours.spans} spans | speed | × lower bound | peak memory of the process |`,
      "| --- | --- | --- | --- |",
      row("verify", ours),
      row("lower bound: read lines, JSON.parse", bound),
    ].join("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
