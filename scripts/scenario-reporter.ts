/**
 * Keeps a suite's `scenarios.json`: what its passed tests showed of each framework, for the table in
 * `docs/frameworks.md`. Only for whole runs, `npm run test:frameworks`; in CI a file that is not what was shown fails.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Reporter, TestModule, Vitest } from "vitest/node";
import { SCENARIOS, type ScenarioId, type ScenarioMark } from "../test/frameworks/scenario.ts";

/** Why a scenario has no label: the framework has no such thing, or the span is out of reach. */
interface NotLabelled {
  readonly outcome: "not applicable" | "cannot be";
  readonly why: string;
}

/** One row of the table: an outcome for each scenario. */
export type ScenarioRow = Record<ScenarioId, "labelled" | NotLabelled>;

export default class ScenarioReporter implements Reporter {
  #folder = "";

  onInit(vitest: Vitest): void {
    this.#folder = vitest.config.root;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (process.env.SCENARIOS === undefined) return;
    const problems = this.#keep(modules);
    for (const problem of problems) console.error(`scenarios: ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  }

  #keep(modules: readonly TestModule[]): string[] {
    const marks = modules.flatMap((module) =>
      [...module.children.allTests("passed")].flatMap((test) => test.meta().scenario ?? []),
    );
    const declared =
      this.#read<Record<string, Partial<Record<ScenarioId, NotLabelled>>>>("not-labelled.json");
    const rows = rowsOf(marks, declared);
    if (Object.keys(rows).length === 0) return [];
    const missing = Object.entries(rows).flatMap(([name, row]) =>
      (Object.keys(SCENARIOS) as ScenarioId[])
        .filter((id) => row[id] === undefined)
        .map((id) => `no passed test shows "${id}" of ${name}, and not-labelled.json does not say why`),
    );
    const both = marks.flatMap(({ row, ids }) =>
      ids
        .filter((id) => declared[row]?.[id] !== undefined)
        .map((id) => `a test shows "${id}" of ${row}, and not-labelled.json says that there is none`),
    );
    const text = `${JSON.stringify(rows, undefined, 2)}\n`;
    const path = `${this.#folder}/scenarios.json`;
    if (process.env.CI === undefined) writeFileSync(path, text);
    else if (!existsSync(path) || readFileSync(path, "utf8") !== text)
      both.push("scenarios.json is not what the tests showed; run npm run test:frameworks and commit it");
    return [...missing, ...new Set(both)];
  }

  #read<Content extends object>(name: string): Content {
    const path = `${this.#folder}/${name}`;
    return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : ({} as Content);
  }
}

function rowsOf(
  marks: readonly ScenarioMark[],
  declared: Readonly<Record<string, Partial<Record<ScenarioId, NotLabelled>>>>,
): Record<string, Partial<ScenarioRow>> {
  const names = [...new Set([...marks.map(({ row }) => row), ...Object.keys(declared)])].sort();
  return Object.fromEntries(
    names.map((name) => {
      const shown = new Set(marks.filter(({ row }) => row === name).flatMap(({ ids }) => ids));
      const outcomes = (Object.keys(SCENARIOS) as ScenarioId[]).map((id) => [
        id,
        shown.has(id) ? "labelled" : declared[name]?.[id],
      ]);
      return [name, Object.fromEntries(outcomes.filter(([, outcome]) => outcome !== undefined))];
    }),
  );
}
