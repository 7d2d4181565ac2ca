/** Prints one plain line at the end of a test run, `N passed, N failed`, and adds the counts to a file for CI. */
import { appendFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // A file that does not load has no tests to fail.
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const counts = { passed: count("passed"), failed: count("failed") + broken, skipped: count("skipped") };
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
    console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
    const file = process.env.TEST_COUNTS_FILE;
    if (file) appendFileSync(file, `${JSON.stringify(counts)}\n`);
  }
}
