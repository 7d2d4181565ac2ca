/**
 * What the mediation step knows in the frameworks' suites: one task over the shared registry, and claims that are in line
 * with it. It knows no framework.
 */
import {
  type AuditEntry,
  digestOf,
  type Facts,
  type MediationOptions,
  mediate,
  type ToolInvocationExplanation,
} from "../../src/claims/index.ts";
import { triageTools } from "./contracts.ts";

/** Somebody has asked to run job 7 again, to write issues, and to call the platform team if nothing helps. */
export const triageFacts = {
  intent: {
    digest: digestOf("look after job 7"),
    classes: ["read", "repair", "tell"],
    operations: ["read", "create", "update", "execute", "send"],
    resourceTypes: ["job", "issue", "page"],
    resourceIds: "any",
    maxItems: 1,
    destinations: ["platform"],
  },
  policy: { digest: digestOf("the policy") },
  route: { tools: ["read_log", "rerun_job", "open_issue", "add_comment", "escalate_incident"] },
  context: { used: [] },
} satisfies Facts;

/** The same, when the task was taken back for everything but reading. */
export const onlyReading: Facts = {
  ...triageFacts,
  intent: { ...triageFacts.intent, classes: ["read"], operations: ["read"] },
};

type Effect = Partial<ToolInvocationExplanation["expected_effect"]>;

const claim = (
  tool: string,
  intentClass: string,
  effect: Effect,
  more: Partial<ToolInvocationExplanation>,
): ToolInvocationExplanation => ({
  schema_version: "ebte-0.1",
  intent_class: intentClass,
  selected_tool: tool,
  expected_effect: {
    operation: "execute",
    resource_type: null,
    resource_ids: [],
    max_items: 1,
    destination: null,
    ...effect,
  },
  risk_tier: "medium",
  uncertainty: "low",
  untrusted_context: [],
  evidence_refs: [{ type: "policy", digest: triageFacts.policy.digest }],
  ...more,
});

/** Running a job again, as it is claimed: allowed. With `uncertainty: "high"` it needs a review. */
export const rerunClaim = (jobId: string, more: Partial<ToolInvocationExplanation> = {}) =>
  claim("rerun_job", "repair", { resource_type: "job", resource_ids: [jobId] }, more);

/** Commenting on an issue, as it is claimed: allowed. */
export const commentClaim = (issueId: string, more: Partial<ToolInvocationExplanation> = {}) =>
  claim(
    "add_comment",
    "tell",
    { operation: "update", resource_type: "issue", resource_ids: [issueId] },
    more,
  );

/** Waking up a team, as it is claimed: the tool is of high risk, so it needs a review. */
export const escalateClaim = (team: string) =>
  claim(
    "escalate_incident",
    "tell",
    { operation: "send", resource_type: "page", destination: team },
    { risk_tier: "high" },
  );

/** The step over the shared registry, with its audit trail. `world.facts` can be changed between two decisions. */
export function triageMediation(options: Partial<MediationOptions> = {}) {
  const entries: AuditEntry[] = [];
  const world: { facts: Facts } = { facts: triageFacts };
  const mediated = mediate(triageTools, {
    vocabulary: { intentClasses: ["read", "repair", "tell"] },
    resolveFacts: () => world.facts,
    onDecision: (entry) => void entries.push(entry),
    ...options,
  });
  /** What the trail says: the moment, the call, what became of it, and whether an approval was used. */
  const trail = () =>
    entries.map(({ moment, callId, outcome, approved }) =>
      [moment, callId, outcome, ...(approved ? ["approved"] : [])].join(" "),
    );
  return { mediated, entries, trail, world };
}
