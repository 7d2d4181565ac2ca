/** The triage agent's one tool in the suites of the claims: effects that happened, decisions, and calls of every outcome. */
import type { AuditEntry, MediatedTools, MediationOptions, Outcome } from "../../src/claims/index.ts";
import type { triageTools } from "./contracts.ts";
import { commentClaim, triageFacts, triageMediation } from "./triage-claims.ts";

export interface TriageDesk {
  readonly mediated: MediatedTools<typeof triageTools>;
  readonly entries: readonly AuditEntry[];
  /** What the tool was called with, each time. */
  readonly effects: object[];
  /** Moment, outcome and whether an approval was used, of each decision. */
  decisions(): [AuditEntry["moment"], Outcome, boolean][];
  /** The work of the tool: it keeps what it was given. */
  readonly work: (args: object) => Promise<string>;
  /** While a person thinks, the task loses its tools. */
  closeRoute(): void;
}

export function triageDesk(options: Partial<MediationOptions> = {}): TriageDesk {
  const { mediated, entries, world } = triageMediation(options);
  const effects: object[] = [];
  return {
    mediated,
    entries,
    effects,
    decisions: () => entries.map(({ moment, outcome, approved }) => [moment, outcome, approved]),
    work: async (args) => {
      effects.push(args);
      return "commented";
    },
    closeRoute: () => {
      world.facts = { ...triageFacts, route: { tools: ["read_log"] } };
    },
  };
}

/** A comment on issue 41, as the tool gets it. */
export const comment = { issue_id: "41", text: "The runner was out of disk." };
/** Runs at once. */
export const aligned = { ...comment, claim: commentClaim("41") };
/** Waits for a person. */
export const unsure = { ...comment, claim: commentClaim("41", { uncertainty: "high" }) };
/** Is denied: the comment goes to another issue than was claimed. */
export const misaligned = { ...aligned, issue_id: "42" };
