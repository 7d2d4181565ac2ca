/**
 * Two registries compared, so that a review looks at the right line.
 *
 * @module
 */
import type { ContractRegistry } from "../contract.ts";
import type { Change, Note } from "./change.ts";
import { diffSchema } from "./diff-schema.ts";
import { diffTerms } from "./diff-terms.ts";

/**
 * Lists each change from one registry to another. Where a call is allowed after that was refused before, a loosening is
 * among them; a tool that was not there is one too.
 *
 * @returns in the order of the tools of `after`, then of those that are gone
 * @example
 * ```ts
 * import { defineTools, diffRegistries } from "agent-reliability-otel-labels/contracts";
 *
 * const contract = {
 *   description: "Wake the person on call.",
 *   input: { type: "object", additionalProperties: false },
 * } as const;
 * const changes = diffRegistries(
 *   defineTools({ escalate: { ...contract, confirm: true } }),
 *   defineTools({ escalate: contract }),
 * );
 * changes[0]; // { tool: "escalate", kind: "loosening", place: "/confirm", before: true, after: false, ... }
 * ```
 */
export function diffRegistries(before: ContractRegistry, after: ContractRegistry): readonly Change[] {
  const changes: Change[] = [];
  for (const name of new Set([...Object.keys(after), ...Object.keys(before)])) {
    const note: Note = (kind, place, what, one, other) =>
      changes.push({
        tool: name,
        place,
        kind,
        what,
        ...(one !== undefined && { before: one }),
        ...(other !== undefined && { after: other }),
      });
    const known = Object.hasOwn(before, name) ? before[name] : undefined;
    const wanted = Object.hasOwn(after, name) ? after[name] : undefined;
    if (known === undefined) note("loosening", "", "tool added", undefined, undefined);
    else if (wanted === undefined) note("tightening", "", "tool removed", undefined, undefined);
    else {
      diffTerms(known, wanted, note);
      diffSchema(known.input, wanted.input, "/input", note);
    }
  }
  return changes;
}
