/**
 * Tests of fields, and the subjects that rules look at, on rows.
 *
 * @module
 */
import type { Field } from "../rows/fields.ts";
import type { FieldValues, SpanRow } from "../rows/span-row.ts";
import type { Subject, Test } from "../rules/rule.ts";

/** A row, with the values that a rule tests: a span's own, or those of one of its policies. */
export interface Candidate {
  readonly row: SpanRow;
  readonly values: FieldValues;
}

/** True when every test holds. A value that is missing is none of any list, and less than any number. */
export function passes(values: FieldValues, tests: readonly Test[]): boolean {
  return tests.every((test) => {
    const value = values[test.field];
    if ("there" in test) return isThere(value) === test.there;
    if ("atLeast" in test) return typeof value === "number" && value >= test.atLeast;
    if ("is" in test) return test.is.includes(value as string | boolean);
    return !test.not.includes(value as string | boolean);
  });
}

/** True when the labels are there that the tests ask something of: without them a rule that does not fire says nothing. */
export function canBeJudged(values: FieldValues, tests: readonly Test[]): boolean {
  return tests.every((test) => {
    const asks = "there" in test ? test.there : !("not" in test);
    return !asks || values[test.field] !== undefined;
  });
}

// A flag is there when it is set.
const isThere = (value: FieldValues[Field]): boolean => value !== undefined && value !== false;

/** What a rule looks at, in the order of steps and time. */
export function candidatesOf(rows: readonly SpanRow[], subject: Subject): Candidate[] {
  if (subject === "policies") return rows.flatMap(policiesOf);
  return rows.filter((row) => isSubject(row, subject)).map((row) => ({ row, values: row.values }));
}

function isSubject({ kind, role, isRoot, isCertain, values }: SpanRow, subject: Subject): boolean {
  switch (subject) {
    case "calls":
      return kind === "call";
    case "roots":
      return isRoot && isCertain;
    case "agents":
      return role === "agent";
    case "delegations":
      return kind === "span" && values.handoffId !== undefined;
    default:
      return true;
  }
}

function policiesOf(row: SpanRow): Candidate[] {
  const { bundleId, bundleSha256 } = row.values;
  const bundle =
    bundleId === undefined || bundleSha256 === undefined
      ? []
      : [{ id: `bundle ${bundleId}`, sha256: bundleSha256, version: undefined }];
  return [...row.policies, ...bundle].map(({ id, sha256, version }) => ({
    row,
    values: { policyId: id, policySha256: sha256, policyVersion: version },
  }));
}

/** Those that agree in the fields, in the order of their first. */
export function groupBy(candidates: readonly Candidate[], fields: readonly Field[]): Candidate[][] {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const key = JSON.stringify(fields.map((field) => candidate.values[field] ?? null));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [candidate]);
    else group.push(candidate);
  }
  return [...groups.values()];
}
