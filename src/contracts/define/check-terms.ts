/**
 * What a contract says besides its input, checked: a member with a typing error would be a flag that nobody reads.
 *
 * @module
 */
import { SIDE_EFFECTS } from "../../attributes/registry.ts";
import { CLAIMS, type ContractData, RISKS } from "../contract.ts";
import type { Fail } from "../contract-error.ts";

const MEMBERS = [
  "title",
  "description",
  "input",
  "sideEffect",
  "confirm",
  "risk",
  "effect",
  "sensitive",
  "claim",
] as const;

/** Longest description. */
const MAX_DESCRIPTION = 10_000;

type Terms = { readonly [Member in (typeof MEMBERS)[number]]?: unknown };

/** @throws through `fail` for a member that is not one of a contract's, or has a value that it cannot have */
export function checkTerms(terms: Terms, fail: Fail): void {
  for (const member of Object.keys(terms)) {
    if (!MEMBERS.includes(member as (typeof MEMBERS)[number])) {
      fail("keyword", "", `the members of a contract are ${MEMBERS.join(", ")}`);
    }
  }
  const { description, title } = terms;
  if (typeof description !== "string" || description.trim() === "" || description.length > MAX_DESCRIPTION) {
    fail("description", "/description", `a text of at most ${MAX_DESCRIPTION} characters that is not blank`);
  }
  if (title !== undefined && (typeof title !== "string" || title.trim() === "" || title.length > 200)) {
    fail("value", "/title", "a text of at most 200 characters that is not blank");
  }
  oneOf(terms, "sideEffect", SIDE_EFFECTS, fail);
  oneOf(terms, "risk", RISKS, fail);
  oneOf(terms, "claim", CLAIMS, fail);
  for (const flag of ["confirm", "sensitive"] as const) {
    if (terms[flag] !== undefined && typeof terms[flag] !== "boolean") {
      fail("value", `/${flag}`, "true or false");
    }
  }
}

function oneOf(terms: Terms, member: keyof Terms, values: readonly string[], fail: Fail): void {
  const value = terms[member];
  if (value !== undefined && !values.includes(value as string)) {
    fail("value", `/${member}`, `one of ${values.join(", ")}`);
  }
}

// The words for a confirmation. A model that is shown such a field gives it.
const CONFIRMATIONS = ["confirm", "confirmed", "confirmation"];

/** @throws through `fail` for arguments that only the harness may give */
export function checkReserved({ input, claim }: ContractData, fail: Fail): void {
  for (const name of Object.keys(input.properties ?? {})) {
    if (CONFIRMATIONS.includes(name.toLowerCase())) {
      fail(
        "reserved",
        `/input/properties/${name}`,
        "a confirmation comes from outside the model: use confirm",
      );
    }
    if (claim === "required" && name === "claim") {
      fail("reserved", "/input/properties/claim", "the argument claim is added where claims are read");
    }
  }
}
