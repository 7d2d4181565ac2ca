/**
 * The eight families of tasks of the conformance suite: each one call on which claim, arguments and facts agree.
 *
 * The names are the paper's (arXiv 2607.25364). It does not say which three families are of high risk; that there are
 * three follows from its figures.
 *
 * @module
 */
import type { Operation, Risk } from "../../contracts/contract.ts";
import type { ClaimVocabulary, ToolInvocationExplanation } from "../claim.ts";
import type { DecidingContract } from "../decide.ts";
import { digestOf, digestOfText } from "../digest.ts";
import type { Facts, IntentFact } from "../facts.ts";

interface Family {
  readonly name: string;
  readonly tool: string;
  readonly intentClass: string;
  readonly operation: Operation;
  readonly resourceType: string;
  readonly risk: Risk;
  /** Where the tool sends to, if it sends. */
  readonly destination?: string;
}

/** The eight families. */
export const FAMILIES: readonly Family[] = [
  {
    name: "record_summarize",
    tool: "summarize_record",
    intentClass: "read",
    operation: "read",
    resourceType: "record",
    risk: "low",
  },
  {
    name: "expense_create",
    tool: "create_expense",
    intentClass: "create",
    operation: "create",
    resourceType: "expense",
    risk: "medium",
  },
  {
    name: "record_update",
    tool: "update_record",
    intentClass: "update",
    operation: "update",
    resourceType: "record",
    risk: "medium",
  },
  {
    name: "record_export",
    tool: "export_records",
    intentClass: "export",
    operation: "send",
    resourceType: "record",
    risk: "high",
    destination: "internal_archive",
  },
  {
    name: "record_delete",
    tool: "delete_record",
    intentClass: "delete",
    operation: "delete",
    resourceType: "record",
    risk: "high",
  },
  {
    name: "appointment_create",
    tool: "create_appointment",
    intentClass: "create",
    operation: "create",
    resourceType: "appointment",
    risk: "medium",
  },
  {
    name: "agent_version_publish",
    tool: "publish_agent_version",
    intentClass: "publish",
    operation: "execute",
    resourceType: "agent_version",
    risk: "high",
  },
  {
    name: "knowledge_search",
    tool: "search_knowledge",
    intentClass: "search",
    operation: "read",
    resourceType: "article",
    risk: "low",
  },
];

/** The words that claims of the suite may use. */
export const VOCABULARY: ClaimVocabulary = {
  intentClasses: ["read", "search", "create", "update", "delete", "send", "publish", "export"],
};

/** A value that variants may change. */
type Writable<Value> = Value extends readonly (infer Entry)[]
  ? Writable<Entry>[]
  : Value extends object
    ? { -readonly [Key in keyof Value]: Writable<Value[Key]> }
    : Value;

/** The arguments of every tool of the suite. */
export interface SuiteArguments {
  ids: string[];
  limit: number;
  to?: string;
}

/** One call with all that is known of it. */
export interface Situation {
  readonly family: string;
  readonly risk: Risk;
  readonly contract: DecidingContract;
  readonly arguments: SuiteArguments;
  readonly claim: Writable<ToolInvocationExplanation> & Record<string, unknown>;
  readonly facts: {
    intent: Writable<IntentFact> & { resourceIds: string[]; operations: Operation[] };
    policy: { digest: NonNullable<Facts["policy"]>["digest"] };
    route: { tools: string[] };
    context: { used: Writable<NonNullable<Facts["context"]>["used"]> };
  };
}

/** A fresh situation in which everything agrees. */
export function agreeing(family: Family): Situation {
  const { name, tool, intentClass, operation, resourceType, risk, destination } = family;
  const ids = [`${name}_1`];
  const untrusted = { source: "document", digest: digestOfText(`${name} document`) };
  const intentDigest = digestOfText(`${name} intent`);
  const policyDigest = digestOfText(`${name} policy`);
  const situation: Situation = {
    family: name,
    risk,
    contract: {
      name: tool,
      risk,
      claim: "required",
      effect: {
        operation,
        resourceType,
        resourceIds: "/ids",
        maxItems: "/limit",
        ...(destination !== undefined && { destination: "/to" }),
      },
    },
    arguments: { ids, limit: 1, ...(destination !== undefined && { to: destination }) },
    claim: {
      schema_version: "ebte-0.1",
      intent_class: intentClass,
      selected_tool: tool,
      expected_effect: {
        operation,
        resource_type: resourceType,
        resource_ids: [...ids],
        max_items: 1,
        destination: destination ?? null,
      },
      risk_tier: risk,
      uncertainty: "low",
      untrusted_context: [{ ...untrusted }],
      evidence_refs: [
        { type: "intent", digest: intentDigest },
        { type: "policy", digest: policyDigest },
      ],
    },
    facts: {
      intent: {
        digest: intentDigest,
        classes: [intentClass],
        operations: [operation],
        resourceTypes: [resourceType],
        resourceIds: [`${name}_1`, `${name}_2`],
        maxItems: 2,
        destinations: destination === undefined ? [] : [destination],
      },
      policy: { digest: policyDigest },
      route: { tools: [tool] },
      context: { used: [untrusted] },
    },
  };
  return situation;
}

/** Adds the evidence of the arguments as they are now: a claim that lies elsewhere may be honest about its payload. */
export function withPayloadEvidence(situation: Situation): void {
  situation.claim.evidence_refs.push({ type: "payload", digest: digestOf(situation.arguments) });
}
