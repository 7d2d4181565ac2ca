/**
 * What the functions of a tool's definition say about one call. They are the application's: one that throws costs its own
 * label and nothing else.
 *
 * @module
 */
import { ERROR_CLASSES, type ErrorClass } from "../attributes/registry.ts";
import { report } from "../labels/diagnostics.ts";
import type { PreparedTool } from "./tool-definition.ts";

/** The class that the definition gives a failure; `null` for none, `undefined` to go by the facts. */
export function declaredClass(
  tool: PreparedTool,
  error: unknown,
  result: unknown,
): ErrorClass | null | undefined {
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

/** Whether the definition says that the result found nothing. */
export function declaredEmpty(tool: PreparedTool, result: unknown): boolean {
  if (tool.isEmpty === undefined) return false;
  try {
    return tool.isEmpty(result) === true;
  } catch {
    reportCallback(tool.name, "isEmpty", "threw");
    return false;
  }
}

/** The arguments to fingerprint. May throw, as the definition may. */
export function argumentsOf(tool: PreparedTool, parameters: readonly unknown[]): unknown {
  return tool.args === undefined ? parameters[0] : tool.args(...parameters);
}

/** The call id that the model gave, where there is one. */
export function callIdOf(tool: PreparedTool, parameters: readonly unknown[]): string | undefined {
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

function reportCallback(tool: string, option: string, fault: string): void {
  report(
    `${option} ${fault}`,
    tool,
    () => `the ${option} function of the tool "${tool}" ${fault}; its label was left out`,
  );
}
