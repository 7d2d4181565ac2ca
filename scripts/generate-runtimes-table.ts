/**
 * Writes the tables of docs/runtimes.md from what the tests of test/runtimes showed; with `--check`, fails when they are not
 * what it would write.
 */
import { readFileSync } from "node:fs";
import type { Results, TableId } from "../test/runtimes/support/results.ts";
import { writeOrCheck } from "./write-or-check.ts";

const DOCUMENT = "docs/runtimes.md";
const BEGIN = "<!-- Generated from test/runtimes by npm run docs. Do not edit. -->";
const END = "<!-- End of what is generated. -->";

const TITLES: Readonly<Record<TableId, string>> = {
  runtimes: "the program, started by",
  typescript: "a TypeScript program, by resolution of modules",
  bundlers: "one file, bundled by",
};

const project = new URL("../", import.meta.url);
const results: Results = JSON.parse(readFileSync(new URL("test/runtimes/results.json", project), "utf8"));

/** A table, and below it why a cell is not as the others. */
function table(id: TableId): string {
  const rows = Object.entries(results[id] ?? {}).sort(([left], [right]) =>
    left.localeCompare(right, "en", { numeric: true }),
  );
  const columns = [...new Set(rows.flatMap(([, cells]) => Object.keys(cells)))];
  const notes = [...new Set(rows.flatMap(([, cells]) => Object.values(cells)))].filter(
    (cell): cell is string => cell !== true,
  );
  const shown = (cell: true | string | undefined): string => {
    if (cell === undefined) return "–";
    return cell === true ? "✓" : `✓ (${notes.indexOf(cell) + 1})`;
  };
  const lines = [
    `| ${TITLES[id]} | ${columns.join(" | ")} |`,
    `| --- |${" :-: |".repeat(columns.length)}`,
    ...rows.map(
      ([name, cells]) => `| ${name} | ${columns.map((column) => shown(cells[column])).join(" | ")} |`,
    ),
  ];
  return [lines.join("\n"), ...notes.map((note, index) => `(${index + 1}) ${note}`)].join("\n\n");
}

const text = readFileSync(new URL(DOCUMENT, project), "utf8");
const [before, rest] = text.split(BEGIN);
const after = rest?.split(END)[1];
if (before === undefined || after === undefined) throw new Error(`${DOCUMENT} has no place for the tables`);
writeOrCheck(
  DOCUMENT,
  [
    `${before}${BEGIN}`,
    ...(Object.keys(TITLES) as TableId[]).map(table),
    "✓ the program gave exactly what is expected; – there is no such thing.",
    `${END}${after}`,
  ].join("\n\n"),
);
