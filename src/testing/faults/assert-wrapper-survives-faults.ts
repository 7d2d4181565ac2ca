/**
 * A fault while labelling never fails the tool: asked of a wrapper, whatever tool is put into it.
 *
 * @module
 */
import { acquireContextManager } from "../recording/context-manager.ts";
import { requireLabels } from "./assert-tool-survives-faults.ts";
import { callUnderFault, NO_FAULT } from "./call-under-fault.ts";
import { differenceOf } from "./compare.ts";
import { failOn, lostLabels } from "./problems.ts";
import { type Fault, TOOL_FAULTS } from "./tool-faults.ts";
import { type Probe, type ProbeFunction, probes } from "./wrapper-probes.ts";

/**
 * Puts tools of the harness's own into a wrapper and calls them under each fault of {@link TOOL_FAULTS}: sync, async and
 * streaming tools, that fail and that do not, with results that are awkward to look at. What the tool gets and what
 * its caller gets have to be the very values, not copies; the tool has to be called once, with its `this`.
 *
 * For whoever writes a wrapper, an adapter, or a `defineTool` of their own around `wrapTool`.
 *
 * @param wrap puts a tool function into the wrapper
 * @throws TraceAssertionError `fault_reached_tool`, with the faults and never a value
 * @throws TestingError `nothing_to_test` when the wrapped tool writes no label even without a fault
 * @example
 * ```ts
 * import { wrapTool } from "agent-reliability-otel-labels";
 * import { assertWrapperSurvivesFaults } from "agent-reliability-otel-labels/testing";
 *
 * await assertWrapperSurvivesFaults((tool) => wrapTool({ name: "probe", sideEffect: "read" }, tool));
 * ```
 */
export async function assertWrapperSurvivesFaults(
  wrap: (tool: ProbeFunction) => ProbeFunction,
): Promise<void> {
  const faults: readonly (readonly [string, Fault])[] = [
    ["without any fault", NO_FAULT],
    ...Object.entries(TOOL_FAULTS),
  ];
  const problems: string[] = [];
  const releaseContext = acquireContextManager();
  try {
    for (const [words, makeProbe] of probes()) {
      let healthy: ReadonlySet<string> | undefined;
      for (const [name, fault] of faults) {
        const { labels, found } = await tryOne(wrap, makeProbe(), fault);
        healthy ??= labels;
        requireLabels(healthy);
        const lost = lostLabels(healthy, labels, fault.costs);
        if (lost.length > 0) found.push(`it also cost ${lost.join(", ")}`);
        problems.push(...found.map((problem) => `${name}, ${words}: ${problem}`));
      }
    }
    failOn(problems, "A fault while labelling reached the tool or its caller:");
  } finally {
    releaseContext();
  }
}

async function tryOne(
  wrap: (tool: ProbeFunction) => ProbeFunction,
  probe: Probe,
  fault: Fault,
): Promise<{ labels: ReadonlySet<string>; found: string[] }> {
  const wrapped = wrap(probe.tool);
  const self = { name: "the tool's this" };
  const plain: readonly unknown[] = [{ from: "SFO", to: "JFK" }, { toolCallId: "call_1" }, Symbol("third")];
  const parameters = fault.changeParameters?.(plain) ?? plain;
  const { outcome, labels } = await callUnderFault(fault, parameters, (given) =>
    Reflect.apply(wrapped, self, given),
  );
  const found: string[] = [];
  const change = differenceOf(probe, outcome, Object.is);
  if (change !== undefined) found.push(change);
  const [first] = probe.received;
  if (first === undefined || probe.received.length > 1) {
    found.push(`it was called ${probe.received.length} times`);
  } else {
    if (first.self !== self) found.push("it was called with another this");
    if (!isSameList(first.parameters, parameters))
      found.push("it was called with other parameters, or copies");
  }
  return { labels, found };
}

const isSameList = (left: readonly unknown[], right: readonly unknown[]): boolean =>
  left.length === right.length && left.every((value, at) => Object.is(value, right[at]));
