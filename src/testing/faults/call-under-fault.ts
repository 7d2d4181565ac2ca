/**
 * One call of a tool inside a run and on a span of its own, with one fault injected.
 *
 * @module
 */
import { context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { startRun } from "../../run/with-run.ts";
import { listenToDiagnostics } from "../recording/diagnostics.ts";
import { InjectedFault } from "./injected-fault.ts";
import { type Outcome, observe } from "./outcome.ts";
import { newAgentSpan, newToolSpan } from "./test-span.ts";
import type { Fault } from "./tool-faults.ts";

/** No fault at all. */
export const NO_FAULT: Fault = { costs: [] };

/** How the call ended, and the names of the labels on its span. */
export interface FaultyCall {
  readonly outcome: Outcome;
  readonly labels: ReadonlySet<string>;
}

/** Calls `tool` under the fault. Needs a context manager. */
export async function callUnderFault(
  fault: Fault,
  parameters: readonly unknown[],
  tool: (parameters: readonly unknown[]) => unknown,
): Promise<FaultyCall> {
  const [span, root] = [newToolSpan(), newAgentSpan()];
  const { attributes } = span;
  for (const each of [span, root]) fault.breakSpan?.(each);
  // A run id that is too long is refused on a root span that records; a root that does not record lets it through to
  // the tools.
  const run = startRun(fault.runId === undefined ? root : undefined, { runId: fault.runId });
  // Somebody listens in any case: what nobody would hear is not even put into words.
  const stopListening = listenToDiagnostics(() => {
    if (fault.loggerThrows === true) throw new InjectedFault();
  });
  try {
    const outcome = await context.with(trace.setSpan(ROOT_CONTEXT, span), () =>
      run.with(() =>
        observe(() => {
          try {
            return tool(parameters);
          } finally {
            if (fault.endsEarly === true) span.end();
          }
        }),
      ),
    );
    return {
      outcome,
      labels: new Set(Object.keys(attributes).filter((name) => name.startsWith("trustabl."))),
    };
  } finally {
    run.end();
    stopListening();
  }
}
