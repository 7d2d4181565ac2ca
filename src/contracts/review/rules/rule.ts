/**
 * What a rule is: a row of data with every sentence that people get to read, and one small function that looks.
 *
 * @module
 */
import type { Framework, Scope, Severity } from "../finding.ts";
import type { AgentSubject, ToolSubject } from "../subject.ts";

/** What a rule found on a subject: a key of its `found`, and the places in the tool's input schema. */
export interface Detection<Reason extends string = string> {
  readonly reason: Reason;
  /** Steps of JSON pointers. */
  readonly places?: readonly (readonly string[])[];
}

/** A rule in words. Plain data. */
export interface RuleDescription<Reason extends string = string> {
  /** Never given to another rule: trails and reports hold it. */
  readonly id: string;
  /** What is wrong when it fires; a headline. */
  readonly title: string;
  /** How bad it is when it fires. */
  readonly severity: Severity;
  /** Why it is as severe as it is, and not more or less. */
  readonly severityBecause: string;
  /** From 0 to 1: how sure it is when it fires. */
  readonly confidence: number;
  /** Where the repair goes. */
  readonly scope: Scope;
  /** Whose definitions it is about; `undefined` for all. */
  readonly frameworks: readonly Framework[] | undefined;
  /** When to think of it. */
  readonly appliesWhen: string;
  /** What goes wrong where the rule is not kept. */
  readonly why: string;
  /** What to do. */
  readonly directive: string;
  /** What can be found, by reason. */
  readonly found: Readonly<Record<Reason, string>>;
}

/** A rule about tools. */
export interface ToolRule<Reason extends string = string> extends RuleDescription<Reason> {
  readonly about: "tool";
  detect(tool: ToolSubject): Detection<Reason> | undefined;
}

/** A rule about agents. */
export interface AgentRule<Reason extends string = string> extends RuleDescription<Reason> {
  readonly about: "agent";
  detect(agent: AgentSubject): Detection<Reason> | undefined;
}

/** A rule. */
export type Rule = ToolRule | AgentRule;

/** A rule about tools, whose reasons are checked against its sentences. */
export const toolRule = <Reason extends string>(rule: Omit<ToolRule<Reason>, "about">): ToolRule => ({
  ...rule,
  about: "tool",
});

/** A rule about agents, whose reasons are checked against its sentences. */
export const agentRule = <Reason extends string>(rule: Omit<AgentRule<Reason>, "about">): AgentRule => ({
  ...rule,
  about: "agent",
});
