/** Writes docs/rules.md from the rules of the review; with `--check`, fails when the file is not what it would write. */
import { rulesText } from "./skill/rules.ts";
import { writeOrCheck } from "./write-or-check.ts";

writeOrCheck(
  "docs/rules.md",
  `<!-- Generated from src/contracts/review/rules by npm run docs. Do not edit. -->

# Rules for definitions

What \`otel-labels review\` and \`reviewDefinitions\` look for in definitions of tools and agents, before any of them runs.

\`\`\`ts
import { formatReview, readTrail, recordRepairs, reviewDefinitions } from "agent-reliability-otel-labels/contracts";

declare const agent: object; // an agent, options, tools, a tool set, a registry, a module, or a list of them
declare const lastTrail: string; // the file from last time; "" the first time

const trail = readTrail(lastTrail);
const review = reviewDefinitions(agent, { trail, source: "src/agent.ts" });
console.log(formatReview(review, { format: "text" })); // or json, or sarif
export const nextTrail = JSON.stringify(recordRepairs(trail, review));
\`\`\`

Definitions are recognised by their form; no framework is imported. Known are agents and tools of OpenAI Agents, options,
subagents, tools and in-process servers of the Claude Agent SDK, tool sets and agents of the AI SDK, tools and agents of
LangChain, contracts, and tools as plain data (MCP's form, and those of model providers). Schemas are read as JSON Schema, from
zod 4.2 and newer, valibot and ArkType through Standard JSON Schema. Nothing of a definition is called but that.

- A finding says which rule, how severe, how sure, whose definition (\`tool\`, \`agent\` or \`repo\`), what was found and what to do.
  It quotes nothing but names. They come by severity, then by confidence.
- Critical and high: change it, and say which rule asked for it. Medium and low: apply the directive.
- \`skipped\` says what no rule could judge: an input that is not readable, an MCP server elsewhere, a provider's own tool.
  \`examined\` is empty where nothing was recognised, which is no pass.
- The trail keeps rule and fingerprint. A finding is \`new\`, \`open\` (it was there in the review before) or \`returned\` (it had been
  repaired). The fingerprint is of the rule, the name and the source, so that the same fault in other words is the same fault.

**What is not seen.** Whether a description is true. Permissions in settings files. What \`needsApproval\`, a middleware or a hook
decides: functions are not called. Tools that are made while the agent runs.

**Bash and the Claude Agent SDK.** \`canUseTool\` counts as a restriction only where the SDK asks it: not about what
\`allowedTools\` names as a whole, and not in a mode that skips the checks. A \`PreToolUse\` hook that covers \`Bash\` always counts.

${rulesText()}
`,
);
