/**
 * One validator for every tool: the call that the model proposes, against the registry.
 *
 * @module
 */

import { MAX_LISTED } from "./bounds.ts";
import type { ContractRegistry } from "./contract.ts";
import { refused } from "./validate/message.ts";
import type { Problem, Validation, ValidationOptions } from "./validation.ts";

/** A call that a model proposes. */
export interface ProposedCall {
  /** The name that the model called; one that is not in the registry is refused like wrong arguments. */
  readonly name: string;
  /** An object, or its JSON text. */
  readonly arguments: unknown;
  /** Whether somebody outside the model has confirmed the call. Never taken from what the model sent. */
  readonly confirmed?: boolean | undefined;
}

/** The problem of a call whose contract asks for a confirmation that is not there. */
export const NOT_CONFIRMED: Problem = Object.freeze({
  path: "",
  keyword: "confirm",
  expected: "one that a person or a policy gives outside the model; the arguments have no field for it",
});

/**
 * Holds a call against the contract of its tool. Never throws, and no answer holds anything that the model sent.
 *
 * @returns the arguments, copied, or the problems and a message for the model
 * @example
 * ```ts
 * import { defineTools, validateCall } from "agent-reliability-otel-labels/contracts";
 *
 * const tools = defineTools({
 *   open_issue: {
 *     description: "Open an issue in the tracker.",
 *     input: {
 *       type: "object",
 *       additionalProperties: false,
 *       required: ["severity"],
 *       properties: { severity: { enum: ["p1", "p2", "p3"] } },
 *     },
 *   },
 * });
 * const answer = validateCall(tools, { name: "open_issue", arguments: { severity: "p4" } });
 * if (!answer.ok) console.log(answer.message); // Refused, nothing was run. severity: expected one of p1, p2, p3
 * ```
 */
export function validateCall(
  tools: ContractRegistry,
  call: ProposedCall,
  options?: ValidationOptions,
): Validation<unknown> {
  const { name, arguments: args, confirmed } = call;
  const contract = typeof name === "string" && Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (contract === undefined) return refused([unknownTool(tools)]);
  const validation = contract.validate(args, options);
  if (!validation.ok || !contract.confirm || confirmed === true) return validation;
  return refused([NOT_CONFIRMED]);
}

function unknownTool(tools: ContractRegistry): Problem {
  const names = Object.keys(tools);
  const listed = names.slice(0, MAX_LISTED).join(", ");
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : "";
  return { path: "", keyword: "tool", expected: names.length === 0 ? "no tool" : `one of ${listed}${more}` };
}
