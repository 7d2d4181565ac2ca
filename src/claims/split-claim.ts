/**
 * Taking the claim out of a call's arguments, so that nothing after the mediation step sees it.
 *
 * @module
 */
import { copyData } from "../contracts/json-data.ts";
import { parseJson } from "../contracts/json-text.ts";

/** The name of the argument. */
export const CLAIM_ARGUMENT = "claim";

/** A call's arguments, read once. */
export interface SplitArguments {
  /** As the model sent them, the claim included: what an approval is for. */
  readonly whole: unknown;
  readonly claim: unknown;
  /** Without the claim: what the tool gets. */
  readonly arguments: unknown;
}

/**
 * Reads arguments, an object or its JSON text, once: what is decided on is then what runs, whatever becomes of the given
 * object. Only the member at the top is the claim; one that is nested deeper is an argument like any other, for the
 * contract to refuse.
 *
 * @returns all `undefined` for what is no JSON data, is too large, or names a member twice
 */
export function splitClaim(args: unknown): SplitArguments {
  let whole: unknown;
  try {
    whole = copyData(typeof args === "string" ? parseJson(args) : args);
  } catch {
    return { whole: undefined, claim: undefined, arguments: undefined };
  }
  if (typeof whole !== "object" || whole === null || !Object.hasOwn(whole, CLAIM_ARGUMENT)) {
    return { whole, claim: undefined, arguments: whole };
  }
  const { [CLAIM_ARGUMENT]: claim, ...rest } = whole as Record<string, unknown>;
  return { whole, claim, arguments: rest };
}
