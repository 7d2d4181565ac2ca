/** Writes docs/checks.md from the checks; with `--check`, fails when the file is not what it would write. */
import type { Check } from "../src/verify/checks/check.ts";
import { CHECKS } from "../src/verify/checks/index.ts";
import { writeOrCheck } from "./write-or-check.ts";

const list = (sentences: Readonly<Record<string, string>>): string =>
  Object.entries(sentences)
    .map(([reason, sentence]) => `- \`${reason}\`: ${sentence}`)
    .join("\n");

const section = (check: Check): string =>
  [
    `## ${check.id}`,
    `**${check.title}.** ${check.why}`,
    check.level === "warning" ? "A failure is a warning; in strict mode it is an error." : undefined,
    `Passes: ${check.pass}`,
    `Fails:\n\n${list(check.fail)}`,
    Object.keys(check.unknown).length === 0 ? undefined : `Cannot tell:\n\n${list(check.unknown)}`,
    `Does not apply: ${check.notApplicable}`,
    `To put it right: ${check.fix}`,
  ]
    .filter((part) => part !== undefined)
    .join("\n\n");

writeOrCheck(
  "docs/checks.md",
  `<!-- Generated from src/verify/checks by npm run docs. Do not edit. -->

# Checks

What \`verify\` looks for in exported spans. Each check has one of four outcomes: it **passes**, it **fails**, it **cannot
tell** (spans are missing, were cut, or do not say), or it **does not apply**. What cannot be told is never counted as a
pass; in strict mode it fails.

The verdict is \`fail\` when a check fails or part of the input cannot be read, \`nothing-to-check\` when there is no
span, no tool span or no label at all, and \`pass\` otherwise.

| check | passes when |
| --- | --- |
${CHECKS.map((check) => `| [\`${check.id}\`](#${check.id}) | ${check.title} |`).join("\n")}

${CHECKS.map(section).join("\n\n")}

## What every check knows

- Attributes tell what a span is before its name does. The conventions of the OpenTelemetry GenAI group, AI SDK 4 to 7,
  OpenInference, OpenLLMetry, Langfuse, Mastra, Google ADK, Strands, Genkit, VoltAgent, MCP and Claude Code are known.
- Nested tool spans of one call (the framework's, an MCP client's, an MCP server's) are one call: the outermost.
- A call that ran no tool function (arguments refused, an unknown tool, an approval that is pending or was refused, a
  tool that the model's provider runs) is nobody's to label.
- A status does not say whether a call failed, and a child may end after its parent. Neither is relied on.
- A root span may be missing although the run ended, several agents may share a trace, and a granted approval goes on
  in another trace: runs are put together by their id.
- Spans may come in any order. Spans of one trace that come very far apart (\`maxOpenSpans\`) are reported as unknown,
  so that a file of any size is checked in a fixed amount of memory.
- No report repeats an argument, a result, or a label's value that has not the form it should have.
`,
);
