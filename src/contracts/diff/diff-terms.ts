/**
 * Changes of what a contract says besides its input. What is not said counts as the strictest, as it does where it is judged.
 *
 * @module
 */
import { SIDE_EFFECTS } from "../../attributes/registry.ts";
import { CLAIMS, type ContractData, type ContractEffect, RISKS } from "../contract.ts";
import type { JsonValue } from "../schema.ts";
import type { Note } from "./change.ts";

export function diffTerms(before: ContractData, after: ContractData, note: Note): void {
  for (const member of ["title", "description"] as const) {
    if (before[member] !== after[member]) {
      note("neutral", `/${member}`, `${member} changed`, before[member], after[member]);
    }
  }
  for (const flag of ["confirm", "sensitive"] as const) {
    if (before[flag] !== after[flag]) {
      note(
        after[flag] ? "tightening" : "loosening",
        `/${flag}`,
        `${flag} changed`,
        before[flag],
        after[flag],
      );
    }
  }
  diffGrade("risk", RISKS, before, after, note);
  diffGrade("sideEffect", SIDE_EFFECTS, before, after, note);
  diffGrade("claim", [...CLAIMS].reverse(), before, after, note);
  diffEffect(before.effect, after.effect, note);
}

/** `grades` from the mildest to the gravest. */
function diffGrade(
  member: "risk" | "sideEffect" | "claim",
  grades: readonly string[],
  before: ContractData,
  after: ContractData,
  note: Note,
): void {
  const [one, other] = [before[member], after[member]];
  if (one === other) return;
  const gradeOf = (value: string | undefined) =>
    value === undefined ? grades.length - 1 : grades.indexOf(value);
  const step = gradeOf(other) - gradeOf(one);
  const kind = step < 0 ? "loosening" : step > 0 ? "tightening" : "neutral";
  note(kind, `/${member}`, `${member} changed`, one, other);
}

function diffEffect(before: ContractEffect | undefined, after: ContractEffect | undefined, note: Note): void {
  if (before === undefined || after === undefined) {
    if (before !== after) {
      const kind = after === undefined ? "loosening" : "tightening";
      note(kind, "/effect", "effect changed", before as unknown as JsonValue, after as unknown as JsonValue);
    }
    return;
  }
  for (const member of ["operation", "resourceType", "resourceIds", "destination"] as const) {
    const [one, other] = [before[member], after[member]];
    // Another word is another thing that may be done, or checked: a loosening until somebody has looked.
    if (one !== other) {
      note(
        one === undefined ? "tightening" : "loosening",
        `/effect/${member}`,
        `${member} changed`,
        one,
        other,
      );
    }
  }
  const [one, other] = [before.maxItems, after.maxItems];
  if (one !== other) {
    note(
      isFewer(other, one) ? "tightening" : "loosening",
      "/effect/maxItems",
      "maxItems changed",
      one,
      other,
    );
  }
}

// Where an argument says how many, it depends: a loosening until somebody has looked.
function isFewer(after: number | string | undefined, before: number | string | undefined): boolean {
  return (
    typeof after === "number" && (before === undefined || (typeof before === "number" && after < before))
  );
}
