/**
 * A mark on a function, or a schema, of a tool whose arguments and results may not be fingerprinted. A framework's hook begins
 * the call before the function is reached, and what stands on a span cannot be taken back.
 *
 * @module
 */

/** Registered, so that two installed copies of this package know each other's. */
export const SENSITIVE = Symbol.for("agent-reliability-otel-labels.sensitive.1");

/** True for what carries the mark. Never throws. */
export function isSensitive(value: unknown): boolean {
  try {
    return (value as { [SENSITIVE]?: unknown } | null | undefined)?.[SENSITIVE] === true;
  } catch {
    return false;
  }
}
