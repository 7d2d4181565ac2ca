/**
 * The review: every tool and agent of a definition, held against every rule that is about it.
 *
 * @module
 */
import {
  actionFor,
  type ExaminedSubject,
  type Finding,
  type FindingStatus,
  type Review,
  type Skipped,
} from "./finding.ts";
import { fingerprintOf } from "./fingerprints.ts";
import { subjectsIn } from "./recognise/subjects-in.ts";
import { byWeight, RULES } from "./rules/index.ts";
import type { Detection, Rule } from "./rules/rule.ts";
import { shownName, shownPointer } from "./shown-name.ts";
import type { Subject } from "./subject.ts";
import { keyOf, type Trail } from "./trail/trail.ts";

/** Options of {@link reviewDefinitions}. */
export interface ReviewOptions {
  /** What earlier reviews found and saw repaired. */
  readonly trail?: Trail | undefined;
  /**
   * Where the definitions come from, such as a path in the repository. Goes into the report and into the fingerprints, so
   * that tools of the same name in two files are two.
   */
  readonly source?: string | undefined;
}

const MOST_PLACES = 8;
const LONGEST_SOURCE = 1_024;

/**
 * Reviews definitions of tools and agents, before any of them runs: is what the model reads there, and are grants and inputs
 * narrow?
 *
 * Takes live objects: agents, tools, tool sets, options, our registry, a module that exports them, or a list of any of
 * these. They are recognised by their form (OpenAI Agents, Claude Agent SDK, AI SDK, LangChain, contracts, tools as plain
 * data); nothing in them is called, except what turns a schema into JSON Schema. Never throws, whatever it is given.
 *
 * @returns findings by severity, then by confidence. When `examined` is empty nothing was recognised, which is no pass.
 *
 * @example
 * ```ts
 * import { reviewDefinitions } from "agent-reliability-otel-labels/contracts";
 *
 * const { findings } = reviewDefinitions({ allowedTools: ["Bash"] });
 * for (const { rule, subject, found, directive } of findings) console.log(rule, subject, found, directive);
 * ```
 */
export function reviewDefinitions(definition: unknown, options: ReviewOptions = {}): Review {
  const source = options.source === undefined ? undefined : shownName(options.source, LONGEST_SOURCE);
  const trail = {
    open: new Set(options.trail?.open.map(keyOf)),
    repaired: new Set(options.trail?.repaired.map(keyOf)),
  };
  const { subjects, skipped } = subjectsIn(definition);
  const statusOf = (key: string): FindingStatus => {
    if (trail.repaired.has(key)) return "returned";
    return trail.open.has(key) ? "open" : "new";
  };
  const findings: Finding[] = [];
  for (const subject of subjects) {
    for (const rule of RULES) {
      const detection = detectionOf(rule, subject);
      if (detection === undefined) continue;
      const examined = examinedOf(subject);
      const fingerprint = fingerprintOf(rule.id, examined, source);
      const status = statusOf(keyOf({ rule: rule.id, fingerprint }));
      findings.push({ ...findingOf(rule, examined, detection), status, fingerprint });
    }
  }
  return {
    findings: withoutTwins(findings).toSorted((a, b) => byWeight({ ...a, id: a.rule }, { ...b, id: b.rule })),
    examined: subjects.map(examinedOf),
    skipped: distinct(skipped),
    source,
  };
}

function detectionOf(rule: Rule, subject: Subject): Detection | undefined {
  if (rule.frameworks?.includes(subject.framework) === false) return undefined;
  if (rule.about === "tool") return subject.kind === "tool" ? rule.detect(subject) : undefined;
  return subject.kind === "agent" ? rule.detect(subject) : undefined;
}

const examinedOf = ({ kind, framework, label }: Subject): ExaminedSubject => ({
  scope: kind,
  framework,
  subject: shownName(label),
});

function findingOf(
  rule: Rule,
  { framework, subject }: ExaminedSubject,
  { reason, places = [] }: Detection,
): Omit<Finding, "status" | "fingerprint"> {
  const { id, title, severity, confidence, scope, directive } = rule;
  return {
    rule: id,
    title,
    severity,
    confidence,
    scope,
    framework,
    subject,
    found: rule.found[reason] ?? title,
    places: places.slice(0, MOST_PLACES).map(shownPointer),
    morePlaces: Math.max(0, places.length - MOST_PLACES),
    directive,
    action: actionFor(severity),
  };
}

// Two tools of one name, with the same fault: one finding, since nobody could tell the two apart.
const withoutTwins = (findings: readonly Finding[]): Finding[] => [
  ...new Map(findings.map((finding) => [keyOf(finding), finding])).values(),
];

const distinct = (skipped: readonly Skipped[]): Skipped[] => [
  ...new Map(skipped.map((one) => [`${one.subject}\n${one.reason}`, one])).values(),
];
