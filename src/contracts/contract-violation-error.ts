/**
 * What a call that its contract refuses ends with. Frameworks show the message of a tool's error to the model, so it is the
 * message for the model: which field, and what is allowed.
 *
 * @module
 */
import { TrustablError } from "../errors.ts";
import { type ContractIssue, issuesOf } from "./json-schema/standard-properties.ts";
import type { Problem, Refused } from "./validation.ts";

/** `not_confirmed`: a person or a policy has to confirm the call. `arguments_refused`: everything else. */
export type ContractViolationCode = "arguments_refused" | "not_confirmed";

/** A call that its contract refused. Nothing was run. */
export class ContractViolationError extends TrustablError<ContractViolationCode> {
  /** The tool's name. */
  readonly tool: string;
  /** The first problems, at most 20, as `validate` gives them. Nothing in them was sent by the caller. */
  readonly problems: readonly Problem[];
  /** The problems as Standard Schema has them: the shape by which a validation error is recognised everywhere. */
  readonly issues: readonly ContractIssue[];

  /** Thrown by contract tools, with the refusal that the contract's `validate` gave. Its message becomes the error's. */
  constructor(tool: string, { problems, message }: Refused) {
    super(problems[0]?.keyword === "confirm" ? "not_confirmed" : "arguments_refused", message);
    this.tool = tool;
    this.problems = problems;
    this.issues = issuesOf(problems);
  }
}

Object.defineProperty(ContractViolationError.prototype, "name", {
  value: "ContractViolationError",
  configurable: true,
  writable: true,
});
