/** The rules for definitions, as the skill shows them. */
import type { Framework } from "../../src/contracts/review/index.ts";
import { rules } from "../../src/contracts/review/rules/index.ts";
import type { RuleDescription } from "../../src/contracts/review/rules/rule.ts";

const SDKS: readonly { readonly framework: Framework; readonly title: string }[] = [
  { framework: "claude-agent-sdk", title: "Claude Agent SDK" },
  { framework: "openai-agents", title: "OpenAI Agents SDK" },
];

/** By framework, then by scope; in each the heaviest rule first. */
export function rulesText(): string {
  const own = (rule: RuleDescription) => rule.frameworks?.length === 1;
  return [
    ...SDKS.map(({ framework, title }) =>
      section(
        `Rules: ${title}`,
        rules.filter((rule) => own(rule) && rule.frameworks?.includes(framework)),
      ),
    ),
    section(
      "Rules: every framework",
      rules.filter((rule) => !own(rule)),
    ),
  ].join("\n\n");
}

const section = (title: string, of: readonly RuleDescription[]): string =>
  [`## ${title}`, scope("Tools", of, "tool"), scope("Agents", of, "agent"), scope("The project", of, "repo")]
    .filter((part) => part !== "")
    .join("\n\n");

function scope(title: string, of: readonly RuleDescription[], name: RuleDescription["scope"]): string {
  const texts = of.filter((rule) => rule.scope === name).map(ruleText);
  return texts.length === 0 ? "" : [`### ${title}`, ...texts].join("\n\n");
}

const ruleText = ({
  id,
  title,
  severity,
  severityBecause,
  confidence,
  directive,
  why,
  appliesWhen,
  found,
}: RuleDescription): string =>
  `#### ${id}: ${title}

Severity: ${severity}. Confidence: ${confidence.toFixed(2)}. ${appliesWhen}

- Do: ${directive}
- Why: ${why} And why ${severity}: ${lowerFirst(severityBecause)}
- Found:${listed(Object.values(found))}`;

const lowerFirst = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);

const listed = (sentences: readonly string[]): string =>
  sentences.length === 1 ? ` ${sentences[0]}` : sentences.map((sentence) => `\n  - ${sentence}`).join("");
