/**
 * The end of a call: the fingerprint of its result, the class of its failure.
 *
 * @module
 */
import type { ErrorClass } from "../attributes/registry.ts";
import { type FingerprintKey, wireFp } from "../fingerprint/index.ts";
import { fingerprintOrReport } from "../labels/fingerprint-label.ts";
import { isUsable, type LabelSpan } from "../labels/span.ts";
import { type ToolEndLabels, writeToolEnd } from "../labels/tool-span.ts";
import { reportEnded, reportEndFailed, reportUnobservable } from "./call-reports.ts";
import { declaredClass, declaredEmpty } from "./declared.ts";
import { errorClassOf } from "./error-class.ts";
import type { CallObserver } from "./observe-result.ts";
import type { PreparedTool } from "./tool-definition.ts";

/**
 * What is to be told how a call ended.
 *
 * @param deliver writes the labels of the end, or drops them; they are made when they are asked for
 */
export function endOf(
  tool: PreparedTool,
  key: FingerprintKey | undefined,
  deliver: (labelsAtEnd: () => ToolEndLabels) => void,
): CallObserver {
  const end = (labelsAtEnd: () => ToolEndLabels) => {
    try {
      deliver(labelsAtEnd);
    } catch {
      reportEndFailed(tool.name);
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
    unobservable: () => reportUnobservable(tool.name),
  };
}

/** Writes the labels of the end, where the span still takes them. */
export function writeEnd(tool: PreparedTool, span: LabelSpan, labels: () => ToolEndLabels): void {
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

function isMarkedError(result: unknown): boolean {
  try {
    return (
      typeof result === "object" && result !== null && (result as { isError?: unknown }).isError === true
    );
  } catch {
    return false;
  }
}
