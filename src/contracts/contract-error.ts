/**
 * What is thrown when a contract is wrong, where it is made and never at a call.
 *
 * @module
 */
import { TrustablError } from "../errors.ts";

/**
 * - `name`: the tool's name is vague or not in lower snake case
 * - `description`: blank or missing
 * - `keyword`: a member or keyword that is not in the closed list, or that means nothing beside the others
 * - `value`: a member or keyword with a value that it cannot have, or that contradicts another
 * - `unbounded`: a value that could grow without end
 * - `open_object`: an object without `additionalProperties: false`
 * - `pattern`: a regular expression outside the grammar whose matching takes linear time
 * - `reserved`: an argument that only the harness may give
 * - `pointer`: a JSON pointer that leads to nothing of the right kind
 * - `conversion`: a Standard Schema that says more than its data could
 * - `not_json`: not JSON data, or beyond its bounds
 */
export const CONTRACT_ERROR_CODES = Object.freeze([
  "name",
  "description",
  "keyword",
  "value",
  "unbounded",
  "open_object",
  "pattern",
  "reserved",
  "pointer",
  "conversion",
  "not_json",
] as const);
/** Why a contract cannot be used. Stable. */
export type ContractErrorCode = (typeof CONTRACT_ERROR_CODES)[number];

/**
 * A contract that cannot be used.
 *
 * @example
 * ```ts
 * import { ContractError, defineTools } from "agent-reliability-otel-labels/contracts";
 *
 * try {
 *   defineTools({ run: { description: "Runs it.", input: { type: "object", additionalProperties: false } } });
 * } catch (error) {
 *   if (error instanceof ContractError) console.log(error.code, error.contract, error.place); // name run ""
 * }
 * ```
 */
export class ContractError extends TrustablError<ContractErrorCode> {
  /** The registry's key of the contract; empty where the registry itself is wrong. */
  readonly contract: string;
  /** JSON pointer (RFC 6901) to the place within the contract, such as `/input/properties/title`. */
  readonly place: string;
  /** What is allowed there. */
  readonly allowed: string;

  /** Thrown by `defineTools`. `allowed` is a sentence of this package, never a part of the definition. */
  constructor(code: ContractErrorCode, contract: string, place: string, allowed: string) {
    super(code, `contract ${JSON.stringify(contract)}${place === "" ? "" : ` at ${place}`}: ${allowed}`);
    this.contract = contract;
    this.place = place;
    this.allowed = allowed;
  }
}

Object.defineProperty(ContractError.prototype, "name", {
  value: "ContractError",
  configurable: true,
  writable: true,
});

/** Stops a definition at one place of it. */
export type Fail = (code: ContractErrorCode, place: string, allowed: string) => never;
