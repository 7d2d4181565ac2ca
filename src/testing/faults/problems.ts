/**
 * The assertion error of the fault tests.
 *
 * @module
 */
import { TraceAssertionError } from "../testing-error.ts";

/** Problems that one message lists. */
const MAX_SHOWN = 30;

/**
 * Throws when there are problems.
 *
 * @throws TraceAssertionError `fault_reached_tool`
 */
export function failOn(problems: Iterable<string>, title: string): void {
  const lines = [...new Set(problems)];
  if (lines.length === 0) return;
  const shown = lines.slice(0, MAX_SHOWN).map((line) => `  ${line}`);
  if (lines.length > MAX_SHOWN) shown.push(`  and ${lines.length - MAX_SHOWN} more`);
  throw new TraceAssertionError("fault_reached_tool", `${title}\n${shown.join("\n")}`);
}

/** The labels that a call without a fault has, that this one has not, and that the fault may not cost. */
export function lostLabels(
  all: ReadonlySet<string>,
  left: ReadonlySet<string>,
  costs: "all" | readonly string[],
): string[] {
  if (costs === "all") return [];
  return [...all].filter((name) => !left.has(name) && !costs.includes(name));
}
