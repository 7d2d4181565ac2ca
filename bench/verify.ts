/**
 * How fast an export is verified, against the least that any program has to do: read the lines and parse them. In fresh
 * processes, since the memory of one must not be the memory of the other.
 *
 * @module
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Effort, QUICK } from "./harness.ts";
import { type FileRun, runOverFile } from "./run-over-file.ts";
import { writeTraceFile } from "./trace-file.ts";

/** The table, as Markdown. */
export function verifyTable(effort: Effort): string {
  const folder = mkdtempSync(join(tmpdir(), "otel-labels-bench-"));
  try {
    const path = join(folder, "traces.jsonl");
    writeTraceFile(path, effort === QUICK ? 50e6 : 1e9);
    const megabytes = statSync(path).size / 1e6;
    const [bound, ours] = [runOverFile("lines", path), runOverFile("verify", path)];
    if (ours.verdict !== "pass") throw new Error(`the benchmark's own file does not pass: ${ours.verdict}`);
    const row = (name: string, { seconds, peakMegabytes }: FileRun) =>
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
