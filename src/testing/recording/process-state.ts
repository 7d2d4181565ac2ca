/**
 * What all recordings of a process share. OpenTelemetry's globals exist once per process, so whatever decides about
 * them has to exist once too: on `globalThis`, since test runners load modules again for each file, and two copies of
 * this package may be installed.
 *
 * @module
 */
import type { SpanProcessorLike } from "./span-types.ts";

export interface ProcessState {
  /** The processors of the recording whose provider is registered. */
  open: readonly SpanProcessorLike[] | undefined;
  /** The context manager that recordings registered, and how many of them need it. */
  contextManager: { readonly manager: object; users: number } | undefined;
  /** Who hears OpenTelemetry's diagnostics, the logger that was there before, and what was registered for us. */
  diagnostics:
    | {
        readonly listeners: Set<(message: string) => void>;
        readonly previous: unknown;
        registered: unknown;
      }
    | undefined;
}

const STATE = Symbol.for("agent-reliability-otel-labels.testing.1");

export function processState(): ProcessState {
  const holder = globalThis as { [STATE]?: ProcessState };
  holder[STATE] ??= {
    open: undefined,
    contextManager: undefined,
    diagnostics: undefined,
  };
  return holder[STATE];
}

/** What is registered with OpenTelemetry's API now, whichever copy of it did that. */
export function registeredGlobal(kind: "trace" | "context" | "diag"): unknown {
  const globals = (globalThis as Record<symbol, Record<string, unknown> | undefined>)[
    Symbol.for("opentelemetry.js.api.1")
  ];
  return globals?.[kind];
}
