/**
 * How fast the rules are evaluated over an export, against verifying the same export: both read it, and both remember the
 * same windows of it. In fresh processes and by turns, since machines are shared and their clocks move.
 *
 * @module
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Effort, QUICK } from "./harness.ts";
import { type FileRun, runOverFile } from "./run-over-file.ts";
import { writeTraceFile } from "./trace-file.ts";

const ROUNDS = 3;

/** The table, as Markdown. */
export function findingsTable(effort: Effort): string {
  const folder = mkdtempSync(join(tmpdir(), "otel-labels-bench-"));
  try {
    const path = join(folder, "traces.jsonl");
    writeTraceFile(path, effort === QUICK ? 100e6 : 1e9);
    const megabytes = statSync(path).size / 1e6;
    const rounds = Array.from({ length: ROUNDS }, () => ({
      findings: runOverFile("findings", path),
      verify: runOverFile("verify", path),
    }));
    const [first] = rounds;
    // Every run of the file lacks its policies, and nothing else.
    if (first?.findings.verdict !== "policy_absent, dspm_unbound") {
      throw new Error(`the benchmark's own file gives other findings: ${first?.findings.verdict}`);
    }
    const row = (way: "findings" | "verify") => {
      const runs = rounds.map((round) => round[way]);
      const ratio = middle(
        rounds.map((round) => round[way].processorSeconds / round.verify.processorSeconds),
      );
      const speed = megabytes / middle(runs.map(({ processorSeconds }) => processorSeconds));
      return `| ${way} | ${speed.toFixed(0)} MB/s | ${ratio.toFixed(2)} | ${peakOf(runs).toFixed(0)} MB |`;
    };
    return [
      `| ${megabytes.toFixed(0)} MB of JSON Lines, ${first.findings.spans} spans | speed by processor time | × verify | peak memory of the process |`,
      "| --- | --- | --- | --- |",
      row("findings"),
      row("verify"),
    ].join("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const middle = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[numbers.length >> 1] as number;

const peakOf = (runs: readonly FileRun[]): number =>
  Math.max(...runs.map(({ peakMegabytes }) => peakMegabytes));
