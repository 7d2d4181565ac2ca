/**
 * What LangGraph throws that is no failure: an interrupt, a command to another agent.
 *
 * @module
 */

/** True for what has to reach LangGraph as it is. Never throws. */
export function isControlFlow(error: unknown): boolean {
  try {
    return (error as { is_bubble_up?: unknown } | null | undefined)?.is_bubble_up === true;
  } catch {
    return false;
  }
}
