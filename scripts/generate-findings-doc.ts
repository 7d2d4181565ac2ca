/** Writes docs/findings.md from the rules; with `--check`, fails when the file is not what it would write. */
import { RULES } from "../src/findings/rules/index.ts";
import type { Rule } from "../src/findings/rules/rule.ts";
import { writeOrCheck } from "./write-or-check.ts";

const row = ({ id, title, severity, shadow }: Rule): string =>
  `| [\`${id}\`](#${id}) | ${severity}${shadow === true ? ", a record only" : ""} | ${title} |`;

const section = (rule: Rule): string =>
  [
    `## ${rule.id}`,
    `**${rule.title}.** ${rule.why}`,
    `Fires: ${rule.fires}`,
    `Example: ${rule.example}`,
    `Needs: ${rule.needs.map((need) => need.replace(/trustabl\.[\w.]+/g, "`$&`")).join("; ")}.`,
    rule.foreign === undefined
      ? undefined
      : "Other programs write what it reads. Where none does, it says *not applicable*, which is no good news.",
    `To the letter: ${rule.literal?.difference ?? "no difference."}`,
    `What to do (\`${rule.fixClass}\`): ${rule.fix}`,
  ]
    .filter((part) => part !== undefined)
    .join("\n\n");

writeOrCheck(
  "docs/findings.md",
  `<!-- Generated from src/findings/rules by npm run docs. Do not edit. -->

# Findings

What the labels are for: twelve rules over exported spans. They run on a file, in a test, while spans arrive, and as SQL
on ClickHouse ([scale.md](scale.md)); a test holds both engines to the same findings.

\`\`\`sh
npx otel-labels findings traces.jsonl
npx otel-labels findings --exec "node app.js"     # says what fires while the program runs
npx otel-labels verify traces.jsonl --findings    # behind the checks, in any format
npx otel-labels findings traces.jsonl --format html --output findings.html
npx otel-labels sql --rule tool_loop              # the same rule for ClickHouse
npx otel-labels findings --clickhouse http://localhost:8123 --from 6h    # the same report of a table
\`\`\`

\`\`\`ts
import { findings, formatFindings } from "agent-reliability-otel-labels/findings";
import { readOtlp } from "agent-reliability-otel-labels/verify";

const report = findings(readOtlp('{"resourceSpans":[]}').spans);
console.log(formatFindings(report));
\`\`\`

| rule | severity | what is going on |
| --- | --- | --- |
${RULES.map(row).join("\n")}

Each rule **fires**, is **clear** (it looked at something and does not fire), is **unknown** (it does not fire as far as
can be seen, and spans or labels were cut or came too late), or is **not applicable** (what it needs is not there).
Silence is not health: the last two say what is missing.

The page (\`--format html\`) shows the runs with findings as a waterfall: the span that completes what a rule looks for is
marked, and the other calls of a loop or a storm say that they are parts of it. It is one file that fetches nothing and
runs nothing. \`json\`, \`junit\` and \`github\` are for programs.

The exit code of \`findings\` is 1 when a rule of high or critical severity fires, or part of the input could not be read;
2 when nothing could be judged. A rule that is a record only never fails anything.

Without [signed policies](policies.md) every run has two findings of high severity, \`policy_absent\` and \`dspm_unbound\`. To see
the others only, leave these out: \`--ignore policy_absent,dspm_unbound\`, in code and in a test
\`{ ignore: ["policy_absent", "dspm_unbound"] }\`.

${RULES.map(section).join("\n\n")}

## What every rule knows

- A tool call is what the conventions of \`verify\` recognise as one, or a span that nobody recognises and that carries
  the labels of a call. The spans of one call (a framework's, an MCP client's, an MCP server's) are one call.
- A span without a run id belongs to the run of the nearest labelled span above it. Where there is none, rules about
  runs leave it aside, and the others judge its trace.
- The root span of a run is the outermost span that carries its id and is no tool.
- "Near" and "later" are by \`step_index\`, so that calls that were sampled away still took their place. A call without a
  step has no place, and \`instrumentation_degraded\` tells of it.
- Failed, for \`false_idempotent\`, is what the status, an exception event, \`error.type\` or \`error_class\` says, and a result
  that is \`null\`: a call that failed has that fingerprint. With keyed fingerprints that last sign is not seen.
- Evidence is labels, tool names, ids and counts. A label that has not its form, or another producer's value that is no
  short word, is not repeated. A label that holds what the framework captured of arguments or results in the same trace,
  or one of the \`secrets\`, is withheld as in the report of \`verify\`; on ClickHouse nothing looks for that.
- Memory does not grow with the input: \`maxOpenSpans\` spans are remembered. A run with more calls than fit, or whose spans
  come too far apart, is judged by what was there, and counted as unknown.
- While spans still arrive (\`onFinding\`, \`--listen\`, \`--exec\`) a finding comes with the span that shows it. That is early: only
  run ids that stand on the span itself count, and a span that comes later can show that two were one call. The report
  decides.

## Read to the letter

The public rules and what they mean differ in places; each rule above says how. By default the meaning counts.
\`--literal\` (\`literal: true\`) gives the letter: then also rules whose labels nobody writes are evaluated as if somebody did.
`,
);
