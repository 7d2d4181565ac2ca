/**
 * What a call that may not run ends with. Its message is for the model: a coarse reason, and nothing of the call.
 *
 * @module
 */
import { TrustablError } from "../errors.ts";
import { REASONS, type Reason } from "./reasons.ts";

/** `claim_denied`: the call may not run. `review_required`: not without a person's approval. */
export type MediationErrorCode = "claim_denied" | "review_required";

/** A call that the mediation step did not let run. */
export class MediationError extends TrustablError<MediationErrorCode> {
  /** The coarse reason. */
  readonly reason: Reason;

  /** Thrown by mediated tools. `code` follows from the reason: `review` is `review_required`, every other `claim_denied`. */
  constructor(reason: Reason) {
    super(reason === "review" ? "review_required" : "claim_denied", `Not run: ${REASONS[reason]}.`);
    this.reason = reason;
  }
}

Object.defineProperty(MediationError.prototype, "name", {
  value: "MediationError",
  configurable: true,
  writable: true,
});
