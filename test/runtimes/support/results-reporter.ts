/**
 * Holds what the tests showed against `results.json`, of which `docs/runtimes.md` is made. Only for whole runs,
 * `npm run test:runtimes`; with WRITE_RESULTS=1 the file is written instead.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";
import type { Cell } from "./cell.ts";
import type { Results } from "./results.ts";

const FILE = new URL("../results.json", import.meta.url);

export default class ResultsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const write = process.env.WRITE_RESULTS === "1";
    // scripts/run-folders.mjs says so of a run of everything.
    if (!write && process.env.SCENARIOS === undefined) return;
    const cells = modules.flatMap((module) =>
      [...module.children.allTests("passed")].flatMap((test) => test.meta().cell ?? []),
    );
    const text = `${JSON.stringify(tabulate(cells), undefined, 2)}\n`;
    if (write) writeFileSync(FILE, text);
    else if (!existsSync(FILE) || readFileSync(FILE, "utf8") !== text) {
      console.error(
        "results.json is not what the tests showed; run WRITE_RESULTS=1 npm run test:runtimes, then npm run docs",
      );
      process.exitCode = 1;
    }
  }
}

function tabulate(cells: readonly Cell[]): Results {
  const results: Results = {};
  const inOrder = cells.toSorted((left, right) => (text(left) < text(right) ? -1 : 1));
  for (const { table, row, column, note } of inOrder) {
    const rows = { ...results[table] };
    rows[row] = { ...rows[row], [column]: note ?? true };
    results[table] = rows;
  }
  return results;
}

const text = ({ table, row, column }: Cell): string => [table, row, column].join("\n");
