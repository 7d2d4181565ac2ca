/**
 * One call of a wrapped tool, from the labels' point of view: what is known at the start is written at the start, the
 * rest at the end. Nothing here throws, and nothing here touches what the tool gets or gives.
 *
 * @module
 */
import { type Context, context } from "@opentelemetry/api";
import { wireFp } from "../fingerprint/index.ts";
import { fingerprintOrReport } from "../labels/fingerprint-label.ts";
import { isUsable } from "../labels/span.ts";
import { type ToolStartLabels, writeToolStart } from "../labels/tool-span.ts";
import { currentRunScope } from "../run/run-context.ts";
import { endOf, writeEnd } from "./call-end.ts";
import { reportBeginFailed, reportNoRun, reportNoSpan } from "./call-reports.ts";
import { argumentsOf, callIdOf } from "./declared.ts";
import { type LocatedToolSpan, locateToolSpan } from "./find-tool-span.ts";
import type { CallObserver } from "./observe-result.ts";
import { leaveCall, spanOfBegunCall, takeOverCall, takeOverKeptCall } from "./shared-call.ts";
import type { PreparedTool } from "./tool-definition.ts";
import { waitForSpan } from "./wait-for-span.ts";

/**
 * Begins a call: finds its span, takes its step and attempt, and writes what is known.
 *
 * @returns what is to be told how the call ended; `undefined` when nothing of this call can be labelled
 */
export function beginToolCall(tool: PreparedTool, parameters: readonly unknown[]): CallObserver | undefined {
  try {
    return begin(tool, parameters);
  } catch {
    reportBeginFailed(tool.name);
    return undefined;
  }
}

function begin(tool: PreparedTool, parameters: readonly unknown[]): CallObserver | undefined {
  // Read once: each read of the active context asks AsyncLocalStorage.
  const current = context.active();
  const { name, span, trustActiveSpan, nameIsExact } = tool;
  const callId = callIdOf(tool, parameters);
  const located = locate({ name, callId, parameters, span, trustActiveSpan, nameIsExact }, current);
  const scope = tool.run === undefined ? currentRunScope(current) : undefined;
  const run = tool.run ?? scope?.run;
  const waits =
    located.span === undefined && located.query !== undefined && located.reason !== "not_recording";
  const counts = run !== undefined && scope?.recording !== false;
  if (located.span === undefined) {
    if (!waits) reportNoSpan(tool.name, located);
    // A call that cannot be labelled is still a call: the next one's step and attempt have to be right.
    if (!waits && !counts) return undefined;
  } else if (run === undefined) {
    reportNoRun(tool.name);
  }
  const key = tool.fingerprint.key ?? run?.fingerprint?.key;
  const countedFp =
    tool.sensitive === true
      ? undefined
      : fingerprintOrReport(
          "trustabl.tool.input_fp",
          () => wireFp(argumentsOf(tool, parameters), tool.volatileKeys, key),
          undefined,
        );
  const before = takeOverCall(current, name, callId, located.span) ?? takeOverKeptCall(name);
  const counted = before?.runId === run?.runId ? before : undefined;
  const labels: ToolStartLabels = {
    runId: run?.runId,
    stepIndex: counted === undefined ? run?.nextStep() : counted.stepIndex,
    attempt:
      counted !== undefined && counted.countedFp === countedFp
        ? counted.attempt
        : run?.nextAttempt(tool.name, countedFp),
    inputFp: tool.fingerprint.hidesArgs ? undefined : countedFp,
    countedFp,
    sideEffect: tool.sideEffect,
    name: tool.name,
  };
  leaveCall(current, { callId, span: located.span, labels });
  if (located.span !== undefined) {
    writeToolStart(located.span, labels);
    return endOf(tool, key, (labelsAtEnd) => writeEnd(tool, located.span, labelsAtEnd));
  }
  return waits ? waitForSpan(tool, key, labels, located) : undefined;
}

function locate(options: Parameters<typeof locateToolSpan>[0], current: Context): LocatedToolSpan {
  const located = locateToolSpan(options, current);
  if (located.span !== undefined) return located;
  const begun = spanOfBegunCall(current, options.name, options.callId);
  return isUsable(begun) ? { span: begun } : located;
}
