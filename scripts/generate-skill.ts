/**
 * Writes skills/agent-reliability/SKILL.md from the registry, the conventions, the checks, the rules, the documents' code and
 * the sections in scripts/skill; with `--check`, fails when the file is not what it would write.
 *
 * A section is a file there whose name begins with its place, `20-labels.md`: one more file is one more section.
 */
import { readdirSync, readFileSync } from "node:fs";
import { POLICY_BINDING_EVENT } from "../src/attributes/registry.ts";
import { packageVersion } from "../src/cli/package-version.ts";
import { frameworksText } from "./skill/documents.ts";
import { rulesText } from "./skill/rules.ts";
import { checksTable, conventionsText, labelsTable, policyTable, valuesText } from "./skill/tables.ts";
import { writeOrCheck } from "./write-or-check.ts";

const PARTS: Readonly<Record<string, () => string>> = {
  rules: rulesText,
  conventions: conventionsText,
  labels: labelsTable,
  policyEvent: () => POLICY_BINDING_EVENT,
  policyLabels: policyTable,
  frameworks: frameworksText,
  values: valuesText,
  checks: checksTable,
};

const folder = new URL("./skill/", import.meta.url);
const sections = readdirSync(folder)
  .filter((name) => /^\d+-.*\.md$/.test(name))
  .sort()
  .map((name) => readFileSync(new URL(name, folder), "utf8").trim());

const filled = (text: string) =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const part = PARTS[name];
    if (part === undefined)
      throw new Error(`a section of the skill asks for {{${name}}}, which there is not`);
    return part();
  });

writeOrCheck(
  "skills/agent-reliability/SKILL.md",
  `---
name: agent-reliability
description: >-
  Reliability rules and trace labels for TypeScript agents. Use when writing, changing or reviewing the definition of a tool,
  an agent, a subagent or its options (OpenAI Agents, Claude Agent SDK, AI SDK, LangChain, Mastra, Google ADK, Strands), and
  when adding OpenTelemetry tracing to an agent.
allowed-tools: Read
disable-model-invocation: false
metadata:
  version: "${packageVersion()}"
---

<!-- Generated from src and scripts/skill by npm run docs. Do not edit. -->

${filled(sections.join("\n\n"))}
`,
);
