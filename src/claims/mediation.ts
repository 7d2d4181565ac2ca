/**
 * The mediation step: between the model's call and the tool's effect. It takes the claim out, resolves the facts, decides,
 * looks for an approval, and keeps a record.
 *
 * @module
 */
import { currentRun } from "../run/run-context.ts";
import { type ApprovalStore, approvalKey, memoryApprovals } from "./approvals.ts";
import { type ClaimVocabulary, claimSchema } from "./claim.ts";
import { type DecidingContract, type Decision, decide } from "./decide.ts";
import type { Digest } from "./digest.ts";
import type { Outcome } from "./outcome.ts";
import { REASONS, type Reason } from "./reasons.ts";
import type { DecisionRecord } from "./record.ts";
import { type FactCall, type FactResolver, resolveFacts } from "./resolve-facts.ts";
import { splitClaim } from "./split-claim.ts";

/** A call, as the model made it. */
export interface MediatedCall {
  /**
   * The registry's key, which is the name that the model called. A name that is not there is decided on as an unknown tool.
   */
  readonly tool: string;
  /** The id that the model or the framework gave. A call without one cannot be approved. */
  readonly callId?: string | undefined;
  /** The arguments with the claim in them. */
  readonly arguments: unknown;
}

/** `before`: asked by a hook, and nothing runs yet. `call`: at the tool. */
export type Moment = "before" | "call";

/** What the audit trail gets for each decision. Nothing in it was written by the model but the call's id. */
export interface AuditEntry {
  /** The registered name; `undefined` for a tool that is not in the registry. */
  readonly tool: string | undefined;
  /** At most 256 characters of it. */
  readonly callId: string | undefined;
  /** The run that the call belongs to, as its spans say in `trustabl.run_id`; `undefined` outside a run. */
  readonly runId: string | undefined;
  /** Whether this was decided before the tool or at it; one call may have an entry of each. */
  readonly moment: Moment;
  /** What becomes of the call; with an approval, not what the record says. */
  readonly outcome: Outcome;
  /** A person's approval of this very call was used. */
  readonly approved: boolean;
  /** How each check came out, and the digests of what was compared. */
  readonly record: DecisionRecord;
}

/** What the mediation step says of a call. */
export interface Verdict {
  /** What becomes of the call: it runs, waits for a person, or is refused. An approval that was used is in it. */
  readonly outcome: Outcome;
  /** The coarse reason that `message` tells; `undefined` when the call runs. */
  readonly reason: Reason | undefined;
  /** For the model; `undefined` when the call runs. */
  readonly message: string | undefined;
  /** What the tool gets: the arguments without the claim. `undefined` when the step itself failed. */
  readonly arguments: unknown;
}

/** Options of the mediation step. */
export interface MediationOptions {
  /** The words that a claim may use: the model is shown them, and any other word makes a claim malformed. */
  readonly vocabulary: ClaimVocabulary;
  /** Gives what the server knows of a call, at each decision anew. What it leaves out, or throws over, is unresolved. */
  readonly resolveFacts: FactResolver;
  /** Existing authorization and approval. Default: none, `allow`. What throws, or gives no outcome, denies. */
  readonly baseline?:
    | ((call: FactCall & { readonly arguments: unknown }) => Outcome | Promise<Outcome>)
    | undefined;
  /** The audit trail. Awaited: a call whose decision could not be recorded does not run. */
  readonly onDecision?: ((entry: AuditEntry) => void | Promise<void>) | undefined;
  /** Default: in memory. */
  readonly approvals?: ApprovalStore | undefined;
  /** Whose call it is, where call ids may repeat between users or conversations. */
  readonly session?: (() => string | undefined) | undefined;
  /** Default 10,000. A fact that takes longer is unresolved. */
  readonly factsTimeoutMilliseconds?: number | undefined;
  /** End the run with `policy_stop` when a call is denied. Default `false`: the model is told, and may go on. */
  readonly stopRunOnDeny?: boolean | undefined;
}

const DEFAULT_FACTS_TIMEOUT = 10_000;

/**
 * The mediation step of an application, over contracts by the name of their tool. It keeps no state but the approvals,
 * and those by call.
 */
export class Mediation {
  readonly #contracts: Readonly<Record<string, DecidingContract>>;
  readonly #options: MediationOptions;
  readonly #approvals: ApprovalStore;

  /** @throws TypeError on a wrong vocabulary or a resolver that is no function, here and not at the first call */
  constructor(contracts: Readonly<Record<string, DecidingContract>>, options: MediationOptions) {
    claimSchema(options.vocabulary);
    if (typeof options.resolveFacts !== "function") {
      throw new TypeError('"resolveFacts" of a mediation expected a function that gives the facts of a call');
    }
    this.#contracts = contracts;
    this.#options = options;
    this.#approvals = options.approvals ?? memoryApprovals();
  }

  /** Decides for a hook that comes before the tool. Nothing is used up, and the tool decides again. */
  consider(call: MediatedCall): Promise<Verdict> {
    return this.#failClosed(call, "before");
  }

  /** Decides at the tool: facts are resolved again, and an approval of this very call is used up. */
  enforce(call: MediatedCall): Promise<Verdict> {
    return this.#failClosed(call, "call");
  }

  /**
   * Keeps that a person has agreed to this very call, or is being asked by a framework that runs the tool only then.
   *
   * @returns `false` for a call that cannot be approved: without an id, or with arguments that are no JSON value
   */
  async approve(call: MediatedCall): Promise<boolean> {
    const key = this.#keyOf(call);
    if (key === undefined) return false;
    await this.#approvals.put(key);
    return true;
  }

  /** Whether an approval of this very call is there, unused. */
  async isApproved(call: MediatedCall): Promise<boolean> {
    const key = this.#keyOf(call);
    return key !== undefined && (await this.#approvals.has(key)) === true;
  }

  /**
   * Forgets an approval: the person has changed their mind.
   *
   * @returns whether it was there; of several at the same time, one gets `true`
   */
  async withdraw(call: MediatedCall): Promise<boolean> {
    return this.#takeApproval(call);
  }

  // Whatever fails here, the application's functions included, nothing runs.
  async #failClosed(call: MediatedCall, moment: Moment): Promise<Verdict> {
    try {
      return await this.#judge(call, moment);
    } catch {
      this.#stopRun();
      return { ...refusal("deny", "denied"), arguments: undefined };
    }
  }

  async #judge(call: MediatedCall, moment: Moment): Promise<Verdict> {
    const { whole, claim, arguments: args } = splitClaim(call.arguments);
    const contract = Object.hasOwn(this.#contracts, call.tool) ? this.#contracts[call.tool] : undefined;
    const decision = await this.#decideOn(call, claim, args, contract);
    const approved =
      moment === "call" &&
      decision.outcome === "review" &&
      (await this.#takeApproval({ ...call, arguments: whole }));
    const outcome = approved ? "allow" : decision.outcome;
    await this.#options.onDecision?.({
      tool: contract?.name,
      callId: call.callId?.slice(0, 256),
      runId: currentRun()?.runId,
      moment,
      outcome,
      approved,
      record: decision.record,
    });
    if (outcome === "deny") this.#stopRun();
    return outcome === "allow"
      ? { outcome, reason: undefined, message: undefined, arguments: args }
      : { ...refusal(outcome, decision.reason), arguments: args };
  }

  async #decideOn(
    { tool, callId }: MediatedCall,
    claim: unknown,
    args: unknown,
    contract: DecidingContract | undefined,
  ): Promise<Decision> {
    const { resolveFacts: resolver, baseline, vocabulary, session } = this.#options;
    const known: FactCall = { tool, callId, session: session?.() };
    const timeout = this.#options.factsTimeoutMilliseconds ?? DEFAULT_FACTS_TIMEOUT;
    const [facts, existing] = await Promise.all([
      resolveFacts(resolver, known, timeout),
      baseline?.({ ...known, arguments: args }),
    ]);
    const input = { claim, call: { tool, arguments: args }, facts, contract, vocabulary };
    return decide(baseline === undefined ? input : { ...input, baseline: existing ?? "deny" });
  }

  async #takeApproval(call: MediatedCall): Promise<boolean> {
    const key = this.#keyOf(call);
    return key !== undefined && (await this.#approvals.take(key)) === true;
  }

  #keyOf({ tool, callId, arguments: args }: MediatedCall): Digest | undefined {
    const { whole } = splitClaim(args);
    return approvalKey({ tool, callId, arguments: whole, session: this.#options.session?.() });
  }

  #stopRun(): void {
    if (this.#options.stopRunOnDeny === true) currentRun()?.stop("policy_stop");
  }
}

function refusal(outcome: Outcome, reason: Reason = "denied"): Omit<Verdict, "arguments"> {
  return { outcome, reason, message: `Not run: ${REASONS[reason]}.` };
}
