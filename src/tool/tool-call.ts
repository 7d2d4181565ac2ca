/**
 * One call of a wrapped tool, from the labels' point of view: what is known at the start is written at the start, the
 * rest at the end. Nothing here throws, and nothing here touches what the tool gets or gives.
 *
 * @module
 */
import { type Context, context } from "@opentelemetry/api";
import { ERROR_CLASSES, type ErrorClass } from "../attributes/registry.ts";
import { type FingerprintKey, wireFp } from "../fingerprint/index.ts";
import { report } from "../labels/diagnostics.ts";
import { fingerprintOrReport } from "../labels/fingerprint-label.ts";
import { unseenRegistration } from "../labels/registered-api.ts";
import { isUsable, type LabelSpan } from "../labels/span.ts";
import {
  type ToolEndLabels,
  type ToolStartLabels,
  writeToolEnd,
  writeToolStart,
} from "../labels/tool-span.ts";
import { currentRunScope } from "../run/run-context.ts";
import { errorClassOf } from "./error-class.ts";
import { type LocatedToolSpan, locateToolSpan } from "./find-tool-span.ts";
import type { CallObserver } from "./observe-result.ts";
import { leaveCall, spanOfBegunCall, takeOverCall, takeOverKeptCall } from "./shared-call.ts";
import type { PreparedTool } from "./tool-definition.ts";
import { toolSpanSources } from "./tool-span-source.ts";

/**
 * Begins a call: finds its span, takes its step and attempt, and writes what is known.
 *
 * @returns what is to be told how the call ended; `undefined` when nothing of this call can be labelled
 */
export function beginToolCall(tool: PreparedTool, parameters: readonly unknown[]): CallObserver | undefined {
  try {
    return begin(tool, parameters);
  } catch {
    report(
      "begin",
      tool.name,
      () => `a call of the tool "${tool.name}" was not labelled: labelling it failed`,
    );
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

/**
 * Turns of the microtask queue that labels still wait for their span when the call has ended: a framework that tells its
 * listeners one after the other starts the span some turns late, and a tool may wait for nothing at all. No timers: under a
 * test's fake ones nothing would ever be dropped.
 */
const MAX_TURNS_AFTER_END = 100;

// Labels that arrive before the span does wait for it, until the call ends.
function waitForSpan(
  tool: PreparedTool,
  key: FingerprintKey | undefined,
  labels: ToolStartLabels,
  located: LocatedToolSpan & { readonly span: undefined },
): CallObserver | undefined {
  const { query } = located;
  if (query === undefined) return undefined;
  let late: LabelSpan | undefined;
  let kept: ToolEndLabels | undefined;
  const onSpan = (span: LabelSpan) => {
    late = span;
    writeToolStart(span, labels);
    if (kept !== undefined) writeToolEnd(span, kept);
  };
  const waiting = toolSpanSources().flatMap((source) => {
    const cancel = source.wait(query, onSpan);
    return cancel === undefined ? [] : [{ cancel, exact: source.waitsExactly === true }];
  });
  if (waiting.length === 0) {
    reportNoSpan(tool.name, located);
    return undefined;
  }
  return endOf(tool, key, (labelsAtEnd) => {
    for (const { cancel, exact } of waiting) if (!exact || late !== undefined) cancel();
    if (late !== undefined) {
      writeEnd(tool, late, labelsAtEnd);
      return;
    }
    const still = waiting.filter(({ exact }) => exact);
    if (still.length === 0) {
      reportNoSpan(tool.name, located);
      return;
    }
    kept = labelsAtEnd();
    void afterTurns(MAX_TURNS_AFTER_END, () => late !== undefined).then(() => {
      for (const { cancel } of still) cancel();
      if (late === undefined) reportNoSpan(tool.name, located);
    });
  });
}

async function afterTurns(turns: number, isEnough: () => boolean): Promise<void> {
  for (let turn = 0; turn < turns && !isEnough(); turn += 1) await undefined;
}

/** @param deliver writes the labels of the end, or drops them; they are made when they are asked for */
function endOf(
  tool: PreparedTool,
  key: FingerprintKey | undefined,
  deliver: (labelsAtEnd: () => ToolEndLabels) => void,
): CallObserver {
  const end = (labelsAtEnd: () => ToolEndLabels) => {
    try {
      deliver(labelsAtEnd);
    } catch {
      report(
        "end",
        tool.name,
        () => `a call of the tool "${tool.name}" was not fully labelled: labelling it failed`,
      );
    }
  };
  const outputFp = (result: unknown) =>
    tool.sensitive === true || tool.fingerprint.hidesResult
      ? undefined
      : fingerprintOrReport(
          "trustabl.tool.output_fp",
          (value) => wireFp(value, tool.volatileKeys, key),
          result,
        );
  return {
    returned: (result) =>
      end(() => ({ outputFp: outputFp(result), errorClass: classOfResult(tool, result) })),
    // A call that failed has no result.
    failed: (error) => end(() => ({ outputFp: outputFp(null), errorClass: classOfError(tool, error) })),
    unobservable: () =>
      report(
        "unobservable",
        tool.name,
        () =>
          `a call of the tool "${tool.name}" returned a frozen promise or stream, so what is known at the end was left out`,
      ),
  };
}

function writeEnd(tool: PreparedTool, span: LabelSpan, labels: () => ToolEndLabels): void {
  if (isUsable(span)) writeToolEnd(span, labels());
  else reportEnded(tool.name);
}

function classOfError(tool: PreparedTool, error: unknown): ErrorClass | undefined {
  const declared = declaredClass(tool, error, undefined);
  return declared === undefined ? errorClassOf(error) : (declared ?? undefined);
}

function classOfResult(tool: PreparedTool, result: unknown): ErrorClass | undefined {
  const declared = declaredClass(tool, undefined, result);
  if (declared !== undefined) return declared ?? undefined;
  // A returned failure, as the Model Context Protocol marks it; its class only where the result has it.
  if (isMarkedError(result)) return errorClassOf(result);
  return declaredEmpty(tool, result) ? "empty" : undefined;
}

function declaredClass(tool: PreparedTool, error: unknown, result: unknown): ErrorClass | null | undefined {
  if (tool.errorClass === undefined) return undefined;
  try {
    const declared: unknown = tool.errorClass(error, result);
    if (declared === undefined || declared === null) return declared;
    if (ERROR_CLASSES.includes(declared as ErrorClass)) return declared as ErrorClass;
    reportCallback(tool.name, "errorClass", `returned something else than ${ERROR_CLASSES.join(", ")}`);
  } catch {
    reportCallback(tool.name, "errorClass", "threw");
  }
  return null;
}

function declaredEmpty(tool: PreparedTool, result: unknown): boolean {
  if (tool.isEmpty === undefined) return false;
  try {
    return tool.isEmpty(result) === true;
  } catch {
    reportCallback(tool.name, "isEmpty", "threw");
    return false;
  }
}

function isMarkedError(result: unknown): boolean {
  try {
    return (
      typeof result === "object" && result !== null && (result as { isError?: unknown }).isError === true
    );
  } catch {
    return false;
  }
}

function argumentsOf(tool: PreparedTool, parameters: readonly unknown[]): unknown {
  return tool.args === undefined ? parameters[0] : tool.args(...parameters);
}

function callIdOf(tool: PreparedTool, parameters: readonly unknown[]): string | undefined {
  try {
    const id: unknown =
      tool.callId === undefined
        ? (parameters[1] as { toolCallId?: unknown } | null | undefined)?.toolCallId
        : tool.callId(...parameters);
    return typeof id === "string" && id !== "" ? id : undefined;
  } catch {
    reportCallback(tool.name, "callId", "threw");
    return undefined;
  }
}

function reportNoSpan(tool: string, located: LocatedToolSpan & { readonly span: undefined }): void {
  // Tracing that is off, or a run that is not sampled, is no loss.
  if (located.reason === "not_recording") return;
  const why = () =>
    located.reason === "no_active_span"
      ? (unseenRegistration() ?? "no span is active")
      : "the active span is not recognisably this call's";
  report(
    "no span",
    tool,
    () => `no tool span was found for a call of the tool "${tool}", so it was not labelled: ${why()}`,
  );
}

function reportNoRun(tool: string): void {
  report(
    "no run",
    tool,
    () =>
      `the tool "${tool}" was called outside a run: its run id, step and attempt were left out; wrap the agent's run in withRun()`,
  );
}

function reportEnded(tool: string): void {
  report(
    "ended",
    tool,
    () =>
      `the span of a call of the tool "${tool}" ended before the call did: what is known at the end was left out`,
  );
}

function reportCallback(tool: string, option: string, fault: string): void {
  report(
    `${option} ${fault}`,
    tool,
    () => `the ${option} function of the tool "${tool}" ${fault}; its label was left out`,
  );
}
