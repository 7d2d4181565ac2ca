/**
 * Writes the table of scenarios in docs/frameworks.md from what the suites showed; with `--check`, fails when the table is
 * not what it would write.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { SCENARIOS, type ScenarioId } from "../test/frameworks/scenario.ts";
import type { ScenarioRow } from "./scenario-reporter.ts";
import { writeOrCheck } from "./write-or-check.ts";

const DOCUMENT = "docs/frameworks.md";
const BEGIN = "<!-- Generated from test/frameworks by npm run docs. Do not edit. -->";
const END = "<!-- End of what is generated. -->";

const project = new URL("../", import.meta.url);
const ids = Object.keys(SCENARIOS) as ScenarioId[];

const rows = ["test/frameworks/", "test/frameworks-large/"].flatMap((folder) =>
  readdirSync(new URL(folder, project), { withFileTypes: true })
    .map(({ name }) => new URL(`${folder}${name}/scenarios.json`, project))
    .filter((file) => existsSync(file))
    .flatMap((file) => Object.entries<ScenarioRow>(JSON.parse(readFileSync(file, "utf8")))),
);
rows.sort(([left], [right]) => left.localeCompare(right, "en"));

const cell = (outcome: ScenarioRow[ScenarioId]): string =>
  outcome === "labelled" ? "✓" : outcome.outcome === "cannot be" ? "✗" : "–";

/** One line for each reason of a framework, with all scenarios that it explains. */
function reasons([name, row]: readonly [string, ScenarioRow]): string[] {
  const byReason = new Map<string, string[]>();
  for (const id of ids) {
    const outcome = row[id];
    if (outcome === "labelled") continue;
    const reason = `${outcome.outcome === "cannot be" ? "✗" : "–"} ${outcome.why}`;
    byReason.set(reason, [...(byReason.get(reason) ?? []), `\`${id}\``]);
  }
  return [...byReason].map(([reason, of]) => `- ${name}, ${of.join(", ")}: ${reason}`);
}

const table = [
  `| framework | ${ids.map((id) => id.replaceAll("-", " ")).join(" | ")} |`,
  `| --- |${" :-: |".repeat(ids.length)}`,
  ...rows.map(([name, row]) => `| ${name} | ${ids.map((id) => cell(row[id])).join(" | ")} |`),
].join("\n");

const text = readFileSync(new URL(DOCUMENT, project), "utf8");
const [before, rest] = text.split(BEGIN);
const after = rest?.split(END)[1];
if (before === undefined || after === undefined) throw new Error(`${DOCUMENT} has no place for the table`);
writeOrCheck(
  DOCUMENT,
  [
    `${before}${BEGIN}`,
    table,
    "✓ labelled, or left alone where it should be; – the framework has no such thing; ✗ cannot be.",
    rows.flatMap(reasons).join("\n"),
    `${END}${after}`,
  ].join("\n\n"),
);
