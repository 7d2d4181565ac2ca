/**
 * What a review says: findings as data. What they are called for people is in `format`.
 *
 * @module
 */

/** How bad it is, the worst first. */
export const SEVERITIES = ["critical", "high", "medium", "low"] as const;
/** How bad it is: `critical`, `high`, `medium` or `low`. */
export type Severity = (typeof SEVERITIES)[number];

/** Where the repair goes: into the tool's definition, the agent's, or the project's configuration. */
export type Scope = "tool" | "agent" | "repo";

/** Whose definition it is. `other` is a tool as plain data: MCP's or a model provider's own form. */
export type Framework = "claude-agent-sdk" | "openai-agents" | "ai-sdk" | "langchain" | "contracts" | "other";

/** What severity asks for. */
export type Action = "change-and-name-the-rule" | "apply-the-directive";

/**
 * What the trail knows of a finding:
 * - `new`: not seen before, or there is no trail
 * - `open`: seen in an earlier review, and still there: a repair that was tried did not clear it
 * - `returned`: it had been repaired, and is back
 */
export type FindingStatus = "new" | "open" | "returned";

/** One rule that one definition does not keep. */
export interface Finding {
  /** `CSDK-101`. */
  readonly rule: string;
  /** The rule's headline, the same for all of its findings. */
  readonly title: string;
  /** How bad it is: the rule's own severity. `action` follows from it. */
  readonly severity: Severity;
  /** From 0 to 1: how sure the rule is when it fires. */
  readonly confidence: number;
  /** Where the repair goes. */
  readonly scope: Scope;
  /** Whose form the definition has. */
  readonly framework: Framework;
  /** Name of the tool or the agent, made fit to be shown. */
  readonly subject: string;
  /** What was found, in words of the rule. Nothing of the definition is quoted. */
  readonly found: string;
  /** Places in the tool's input schema, as JSON pointers made fit to be shown; at most 8. */
  readonly places: readonly string[];
  /** Places that are not in `places`, since they are too many. */
  readonly morePlaces: number;
  /** What to do, in the rule's words; nothing of the definition is in it. */
  readonly directive: string;
  /** Whether to change the definition at once, and name the rule, or to follow the directive. */
  readonly action: Action;
  /** What the trail knows of it; `new` without a trail. */
  readonly status: FindingStatus;
  /** 16 hexadecimal characters: the same for the same rule on the same subject of the same source. */
  readonly fingerprint: string;
}

/** A definition that was looked at. */
export interface ExaminedSubject {
  /** What was looked at: a tool, an agent, or the project's configuration. */
  readonly scope: Scope;
  /** Whose form the definition has. */
  readonly framework: Framework;
  /** Name of the tool or the agent, made fit to be shown. */
  readonly subject: string;
}

/** Something that no rule could judge, so that "no finding" says nothing about it. */
export interface Skipped {
  /**
   * Name of the tool or the agent, made fit to be shown; of something without a name, the member that holds it, or
   * `definition`.
   */
  readonly subject: string;
  /** A fixed sentence. */
  readonly reason: string;
}

/** What a review gives. Plain data. */
export interface Review {
  /** By severity, then by confidence, the highest first. */
  readonly findings: readonly Finding[];
  /** Empty when nothing was recognised: that is no pass. */
  readonly examined: readonly ExaminedSubject[];
  /** Definitions, or parts of them, that could not be judged. Not empty: the review is not complete. */
  readonly skipped: readonly Skipped[];
  /** What the definitions came from, as given. */
  readonly source: string | undefined;
}

/** Critical and high: change it, and say which rule asked for it. Medium and low: apply the directive. */
export function actionFor(severity: Severity): Action {
  return severity === "critical" || severity === "high" ? "change-and-name-the-rule" : "apply-the-directive";
}

/** True from `high` on. */
export const isSevere = ({ severity }: Pick<Finding, "severity">): boolean =>
  actionFor(severity) === "change-and-name-the-rule";
