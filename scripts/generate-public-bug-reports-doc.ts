/** Writes docs/decisions/0006-public-bug-reports.md from test/public-bug-reports; with `--check`, fails when the file is not what it would write. */
import { type PublicBugReport, publicBugReports } from "./public-bug-reports.ts";
import { writeOrCheck } from "./write-or-check.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|");
const link = ({ report }: PublicBugReport): string =>
  `[${report.replace("https://github.com/", "").replace("/issues/", "#")}](${report})`;

/** Tests by file, so that no file is named twice in a row. */
function testsOf({ tests = [] }: PublicBugReport): string {
  const files = [...new Set(tests.map(({ file }) => file))];
  const namesIn = (file: string) => tests.filter((one) => one.file === file).map(({ name }) => `“${name}”`);
  return files.map((file) => `[${file}](../../${file}): ${namesIn(file).join(", ")}`).join("<br>");
}

const reports = publicBugReports();
const shown = reports.filter(({ why }) => why === undefined);
const foreign = reports.filter(({ why }) => why !== undefined);

writeOrCheck(
  "docs/decisions/0006-public-bug-reports.md",
  `<!-- Generated from test/public-bug-reports by npm run docs. Do not edit. -->

# Public bug reports of agent tracing tools are tests here

**Decision.** What users of other tools for agent tracing ran into is gone through, report by report. Each is shown by a test
that would fail if the fault were here, or it says why it does not apply. \`test/public-bug-reports\` holds the list, and a test that
every named test is there.

**Why.** Most faults of such tools are not of one tool: context that is lost in a generator, an id that is rounded, a document that
is followed by a line for people. They come back wherever they are not tested for.

## Shown by a test

| report | symptom | tests |
| --- | --- | --- |
${shown.map((one) => `| ${link(one)} | ${cell(one.title)} | ${cell(testsOf(one))} |`).join("\n")}

## Does not apply

| report | symptom | why |
| --- | --- | --- |
${foreign.map((one) => `| ${link(one)} | ${cell(one.title)} | ${cell(one.why ?? "")} |`).join("\n")}
`,
);
