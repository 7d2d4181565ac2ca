/**
 * Prints one plain line at the end of a test run, `N passed, N failed`, and adds the counts to a file for CI. A file whose
 * process died half-way is named: the runner itself only says that some worker did.
 */
import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // A file that does not load has no tests to fail.
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const counts = { passed: count("passed"), failed: count("failed") + broken, skipped: count("skipped") };
    const unfinished = modules.filter((module) => ["queued", "pending"].includes(module.state()));
    for (const module of unfinished) {
      const open = [...module.children.allTests()].filter((test) => test.result().state === "pending");
      console.log(`not finished: ${relative(process.cwd(), module.moduleId)}`);
      for (const test of open) console.log(`  no result: ${test.fullName}`);
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
    console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
    write(process.env.TEST_COUNTS_FILE, `${JSON.stringify(counts)}\n`);
    if (counts.failed === 0) {
      for (const module of unfinished) write(process.env.TEST_UNFINISHED_FILE, `${module.moduleId}\n`);
    }
  }
}

function write(file: string | undefined, text: string): void {
  if (file) appendFileSync(file, text);
}
