/**
 * A fault while labelling never fails the tool: asked of one tool of the application.
 *
 * @module
 */
import { context, ROOT_CONTEXT } from "@opentelemetry/api";
import { acquireContextManager } from "../recording/context-manager.ts";
import { TestingError } from "../testing-error.ts";
import { callUnderFault, NO_FAULT } from "./call-under-fault.ts";
import { differenceOf, type SameValue, sameApartFromVolatile } from "./compare.ts";
import { observe } from "./outcome.ts";
import { failOn, lostLabels } from "./problems.ts";
import { type Fault, TOOL_FAULTS, type ToolFault } from "./tool-faults.ts";

/** Options of {@link assertToolSurvivesFaults}. */
export interface ToolFaultOptions {
  /** What the tool is called with, or a function that makes it for each call. */
  readonly parameters: readonly unknown[] | (() => readonly unknown[]);
  /** The function that was wrapped. With it the comparison is with that, otherwise with the tool outside any trace. */
  readonly bare?: ((...parameters: never[]) => unknown) | undefined;
  /** The faults to try. Default: all. */
  readonly faults?: readonly ToolFault[] | undefined;
  /**
   * Whether two results, or two thrown values, are the same. Default: deeply equal apart from volatile members (times,
   * request ids), which fingerprints leave out too.
   */
  readonly same?: SameValue | undefined;
}

/**
 * Calls a wrapped tool under each fault of {@link TOOL_FAULTS} and checks that it ends as it does without: the same
 * result or the same error, as sync or async as before, and no more labels lost than the fault has to cost. Each fault
 * calls the tool twice, so give it one that may be called often.
 *
 * @throws TraceAssertionError `fault_reached_tool`, with the faults and never a value
 * @throws TestingError `nothing_to_test` when the tool writes no label even without a fault
 * @example
 * ```ts
 * import { wrapTool } from "agent-reliability-otel-labels";
 * import { assertToolSurvivesFaults } from "agent-reliability-otel-labels/testing";
 *
 * const findFlights = async (query: { from: string; to: string }) => [`${query.from}-${query.to}`];
 * const searchFlights = wrapTool({ name: "search_flights", sideEffect: "read" }, findFlights);
 * await assertToolSurvivesFaults(searchFlights, { bare: findFlights, parameters: [{ from: "SFO", to: "JFK" }] });
 * ```
 */
export async function assertToolSurvivesFaults(
  tool: (...parameters: never[]) => unknown,
  options: ToolFaultOptions,
): Promise<void> {
  const { parameters: given, bare, same = sameApartFromVolatile } = options;
  const call = (fn: typeof tool) => (parameters: readonly unknown[]) => fn(...(parameters as never[]));
  const parametersFor = (fault: Fault) => {
    const fresh = typeof given === "function" ? given() : given;
    return fault.changeParameters?.(fresh) ?? fresh;
  };
  const reference = (fault: Fault) =>
    context.with(ROOT_CONTEXT, () => observe(() => call(bare ?? tool)(parametersFor(fault))));

  const releaseContext = acquireContextManager();
  try {
    const healthy = await callUnderFault(NO_FAULT, parametersFor(NO_FAULT), call(tool));
    requireLabels(healthy.labels);
    const problems: string[] = [];
    const change = differenceOf(await reference(NO_FAULT), healthy.outcome, same);
    if (change !== undefined) problems.push(`without any fault: ${change}`);
    for (const name of options.faults ?? (Object.keys(TOOL_FAULTS) as ToolFault[])) {
      const fault: Fault = TOOL_FAULTS[name];
      const expected = await reference(fault);
      const actual = await callUnderFault(fault, parametersFor(fault), call(tool));
      const difference = differenceOf(expected, actual.outcome, same);
      if (difference !== undefined) problems.push(`${name}: ${difference}`);
      const lost = lostLabels(healthy.labels, actual.labels, fault.costs);
      if (lost.length > 0) problems.push(`${name}: it also cost ${lost.join(", ")}`);
    }
    failOn(problems, "A fault while labelling reached the tool or its caller:");
  } finally {
    releaseContext();
  }
}

/** @throws TestingError `nothing_to_test` */
export function requireLabels(labels: ReadonlySet<string>): void {
  if (labels.size > 0) return;
  throw new TestingError(
    "nothing_to_test",
    "Is it wrapped? It was called inside a run, with a tool's span as the active one.",
  );
}
