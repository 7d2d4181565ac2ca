/**
 * Where each name of the registry goes and what it says, in words, for documents. Apart from the registry, so that programs that only write
 * labels do not carry the words along.
 *
 * @module
 */
import type { PolicyBindingAttributeName, SpanAttributeName } from "./registry.ts";

/** The span (or event) that a name belongs on. */
export type Placement = "agent root span" | "tool span" | "delegated agent's span" | "policy binding event";

/** What a name says. */
export interface AttributeDescription {
  /** Where the name belongs. */
  readonly on: readonly Placement[];
  /** When it is there: `always`, or the condition in words. */
  readonly when: string;
  readonly meaning: string;
}

/** A description for every name. */
export const DESCRIPTIONS: Readonly<
  Record<SpanAttributeName | PolicyBindingAttributeName, AttributeDescription>
> = {
  "trustabl.run_id": {
    on: ["agent root span", "tool span"],
    when: "always",
    meaning:
      "Which spans belong to one run. 16 lower-case hexadecimal characters unless the application chose it.",
  },
  "trustabl.exit_reason": {
    on: ["agent root span"],
    when: "once the run has ended, before the span ends",
    meaning: "How the run ended.",
  },
  "trustabl.step_index": {
    on: ["tool span"],
    when: "always",
    meaning: "The place of this call among the tool calls of its run, from 0, taken when the call starts.",
  },
  "trustabl.tool.input_fp": {
    on: ["tool span"],
    when: "unless the arguments have no fingerprint",
    meaning: "Fingerprint of the arguments: same arguments, same value.",
  },
  "trustabl.tool.output_fp": {
    on: ["tool span"],
    when: "unless the result has no fingerprint",
    meaning: "Fingerprint of the result: same result, same value. A call that failed has the one of `null`.",
  },
  "trustabl.tool.attempt": {
    on: ["tool span"],
    when: "always",
    meaning: "How many times this run has made this same call: same tool, same arguments.",
  },
  "trustabl.tool.side_effect": {
    on: ["tool span"],
    when: "when the tool declares it",
    meaning: "What the tool can do to the world. Left out when not known; `pure` is a claim, not a default.",
  },
  "trustabl.tool.error_class": {
    on: ["tool span"],
    when: "when the call failed and the class is known",
    meaning: "How the call failed. Left out rather than guessed.",
  },
  "trustabl.handoff_id": {
    on: ["delegated agent's span"],
    when: "always",
    meaning: "Which delegation this agent came from.",
  },
  "trustabl.policy.binding.id": {
    on: ["policy binding event"],
    when: "always",
    meaning: "The policy's name in the deployment.",
  },
  "trustabl.policy.binding.type": {
    on: ["policy binding event"],
    when: "always",
    meaning: "What the policy restricts.",
  },
  "trustabl.policy.binding.sha256": {
    on: ["policy binding event"],
    when: "always",
    meaning: "SHA-256 of that one policy file. Never one hash over several policies.",
  },
  "trustabl.policy.binding.version": {
    on: ["policy binding event"],
    when: "always",
    meaning: "The policy's version.",
  },
  "trustabl.policy.binding.required": {
    on: ["policy binding event"],
    when: "always",
    meaning: "Whether the run may not go on without the policy.",
  },
  "trustabl.policy.binding.source": {
    on: ["policy binding event"],
    when: "always",
    meaning: "Where the policy comes from.",
  },
};
