/** Writes docs/command-line.md from the commands' own rows; with `--check`, fails when the file is not what it would write. */
import { commandHelp, programHelp } from "../src/cli/arguments/help.ts";
import { COMMANDS } from "../src/cli/commands.ts";
import { writeOrCheck } from "./write-or-check.ts";

const helpOf = (name: string) => {
  const command = COMMANDS.find((one) => one.name === name);
  if (command === undefined) throw new Error(`there is no command ${name}`);
  return block(commandHelp(command));
};
const block = (text: string) => `\`\`\`text\n${text.trimEnd()}\n\`\`\``;

writeOrCheck(
  "docs/command-line.md",
  `<!-- Generated from src/cli by npm run docs. Do not edit. -->

# Command line

The package has one program, \`otel-labels\`; \`agent-reliability-otel-labels\` is the same. Without an installation it
runs as \`npx agent-reliability-otel-labels\`.

${block(programHelp(COMMANDS))}

\`otel-labels help COMMAND\` is \`otel-labels COMMAND --help\`. Standard output holds the report and nothing else; a report that
cannot be written there ends with exit code 2, unless its reader has left (\`| head\`). When it is for a program (\`--format
json\`, \`junit\`, \`github\` or \`html\`), everything for people goes to standard error. Colours are used on a terminal only;
\`NO_COLOR\` and \`--no-color\` switch them off, \`FORCE_COLOR\` switches them on. \`--output -\` is standard output, and a report never
replaces a file that it was made from.

## verify

${helpOf("verify")}

Nothing checked is never a pass: no spans, no tool spans and no labels each end with exit code 2. Each check is explained
in [checks.md](checks.md).

**Files.** OTLP JSON as SDKs, the collector's file exporter and query interfaces write it: one document, JSON Lines,
several documents in a row, an array; plain, gzip, or zstd where Node has it (22.15 and later). Files are read as a
stream, so they can be larger than memory. A damaged line is reported with its number and fails the verdict; the good
lines are still checked. An input that stops in the middle of its last line is a warning, since it may still be being
written. Jaeger and Zipkin JSON and protobuf files are named and refused.

**Receiving.** \`--listen\` and \`--exec\` start an OTLP/HTTP receiver: \`POST /v1/traces\` with JSON or protobuf, plain, gzip or
deflate, at most 16 MiB each. Logs and metrics are taken and dropped. It listens on this machine only unless told
otherwise, and asks nobody who they are: give another address only on a network you trust. gRPC is not received. An
export that is refused fails the verdict, since its spans are lost; one that the exporter sends again is a warning.

**Running a program.** \`--exec\` sets \`OTEL_EXPORTER_OTLP_ENDPOINT\` for the program, and
\`OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf\` unless it is an \`http/\` protocol already; variables for traces alone are removed,
since they would win. The program's exporter has to read these variables, and has to be shut down or flushed before the
program ends. On a terminal Ctrl-C reaches the program first; the verdict follows when it has ended.

**Rules.** \`--findings\` evaluates the rules of \`otel-labels findings\` on the same spans: see [findings.md](findings.md).

**Secrets.** With \`--secret\` and \`--secrets\` no label and no policy event may hold one of these texts. The report never
repeats them.

## findings

${helpOf("findings")}

The rules, and what each needs, are in [findings.md](findings.md); \`--clickhouse\` and the table that it reads in
[scale.md](scale.md). Files, receiving and \`--exec\` are as in \`verify\`.

## sql

${helpOf("sql")}

The statements, and the table that they expect, are described in [scale.md](scale.md).

## doctor

${helpOf("doctor")}

It looks for faults that lose labels without a word: no SDK at all, several copies of \`@opentelemetry/api\` that do not see each
other, the labels on another copy than the application, several copies of this package, tracing switched off by the environment
(also \`NODE_ENV=test\` with OpenAI Agents), limits in the environment that cut or drop labels, where an installed SDK reads
them, and an AI SDK 7 without \`@ai-sdk/otel\`. What is installed is found as Node finds it, from the nearest package.json along
every dependency; nothing is loaded.

With the application's set-up loaded it also sees whether every copy of the API sees what was registered, whether a provider and a
context manager are registered, whether spans record, and what they keep: that counts more than what the environment says.
Name a file with \`./\` before it, as for Node. The set-up runs in a process of its own, for at most a minute, and what it prints
goes to standard error. One span is started there and never ended, so that it is not exported.

## review

${helpOf("review")}

The module is loaded, which runs it, in a process of its own that is ended when it has been looked at; what it prints goes to
standard error. Every export is looked at: agents of OpenAI Agents, of the AI SDK and of LangChain, options and subagents of the
Claude Agent SDK, tools and tool sets of each, contract registries, and tools as plain data, also in a \`.json\` file. Nothing
in them is called, except what turns a schema into JSON Schema. TypeScript is loaded with the \`tsx\` of its project, and
where there is none by Node itself from 22.18 on.

Severity says how to act. Critical and high: change it, and say which rule asked for it. Medium and low: apply the directive.
What could not be judged, such as the tools of an MCP server elsewhere, is listed as such. No report quotes a definition;
names of tools, agents and fields are in it.

**Trail.** With \`--trail\` a finding that was repaired and comes back is reported as such, and so is one that the last change
did not clear. Only definitions that were looked at can be repaired. Files are told apart by their path from the working
directory: run it from the same one. Commit the file with the code.

**SARIF.** 2.1.0, with every rule in it. A live object has no line: results name the file, and the tool or the agent.

## contracts

${helpOf("contracts show")}

${helpOf("contracts diff")}

${helpOf("contracts schema")}

A file is JSON, or a module that exports what \`defineTools()\` gives, as its default export where there are several.

## claims

${helpOf("claims conformance")}

The suite, and what its figures mean, are described in [claims.md](claims.md).

## fingerprint

${helpOf("fingerprint")}

Of two members with the same name the last counts, as in \`JSON.parse\`. An integer that is too large to be exact in every
language is refused, with the code and the position, and without the value.

## policies

${helpOf("policies verify")}

${helpOf("policies hash")}

The manifest and the formats are described in [policies.md](policies.md).
`,
);
