/**
 * An answer to a call that is not the tool's result.
 *
 * @module
 */
import { report } from "../../labels/diagnostics.ts";

/** True where the server wants more input first, or has made a task of the call. */
export function isUnfinished(result: unknown): boolean {
  const { resultType, task } = (result ?? {}) as { resultType?: unknown; task?: { taskId?: unknown } | null };
  return resultType === "input_required" || typeof task?.taskId === "string";
}

export function reportUnfinished(tool: string): void {
  report(
    "mcp unfinished",
    tool,
    () =>
      `a call of the tool "${tool}" was answered by a task or by a question, so what is known at its end was left out`,
  );
}
