/**
 * "No silent loss": what was left out, and why, goes to OpenTelemetry's `diag`, once per kind. A message holds
 * names of labels and tools and kinds of faults; never a value.
 *
 * @module
 */
import { registeredApi } from "./registered-api.ts";

/** Messages kept per logger. A tool name per message makes their number unbounded otherwise. */
const MAX_KINDS = 1_000;

// The registered logger is looked up because a message that nobody heard must not count as said, and because what was
// said is remembered per logger: no state of our own outlives it. It is called directly too: the `diag` of a copy that does
// not get along with the one that registered says nothing, which is the fault that most needs to be heard of.
const saidBy = new WeakMap<object, Set<string>>();

interface Logger {
  warn(message: string): void;
}

function registeredLogger(): Logger | undefined {
  const logger = registeredApi()?.diag;
  return typeof logger === "object" && logger !== null ? (logger as Logger) : undefined;
}

/**
 * Says once per `kind` and `subject` that something was left out. Never throws, whatever the logger does. Costs next to
 * nothing where no logger is registered.
 *
 * @param kind what is said once; not shown
 * @param subject the tool or label it is about, or an empty text; not shown
 * @param message a function, so that a message that is not said is not made
 */
export function report(kind: string, subject: string, message: () => string): void {
  try {
    const logger = registeredLogger();
    if (logger === undefined) return;
    const once = `${kind} ${subject}`;
    let said = saidBy.get(logger);
    if (said === undefined) {
      said = new Set();
      saidBy.set(logger, said);
    }
    if (said.has(once) || said.size > MAX_KINDS) return;
    said.add(once);
    logger.warn(
      said.size > MAX_KINDS
        ? `agent-reliability-otel-labels: more than ${MAX_KINDS} kinds of messages; no more are shown`
        : `agent-reliability-otel-labels: ${message()}`,
    );
  } catch {
    // A logger that throws must not reach a tool.
  }
}

/** Says once that a label was left out, and why. `kind` is a fixed word; `why` is the sentence about it. */
export function reportLoss(label: string, kind: string, why: string): void {
  report(kind, label, () => `${label} was left out: ${why}`);
}
