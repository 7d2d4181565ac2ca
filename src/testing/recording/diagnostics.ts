/**
 * Hearing what is said on OpenTelemetry's `diag`, without taking it away from the logger that is there.
 *
 * @module
 */
import { format } from "node:util";
import { type DiagLogger, DiagLogLevel, diag } from "@opentelemetry/api";
import { processState, registeredGlobal } from "./process-state.ts";

/** Messages kept, and characters of each. */
const MAX_MESSAGES = 1_000;
const MAX_LENGTH = 10_000;

/** What was said at the levels warning and error since the listening began, and how to end it. */
export interface HeardDiagnostics {
  readonly messages: string[];
  stop(): void;
}

/** Listens and keeps what is said. */
export function hearDiagnostics(): HeardDiagnostics {
  const messages: string[] = [];
  const stop = listenToDiagnostics((message) => {
    if (messages.length < MAX_MESSAGES) messages.push(message.slice(0, MAX_LENGTH));
  });
  return { messages, stop };
}

/**
 * Listens. Each new listener counts as a new logger, so that what is said only once per logger is said again: a test
 * hears what concerns it, whatever the tests before it did.
 *
 * @returns ends the listening; the logger that was there before is put back with the last listener
 */
export function listenToDiagnostics(listener: (message: string) => void): () => void {
  const state = processState();
  state.diagnostics ??= { listeners: new Set(), previous: registeredGlobal("diag"), registered: undefined };
  const hub = state.diagnostics;
  hub.listeners.add(listener);
  // A logger that came after ours stays where it is.
  if (hub.registered === undefined || registeredGlobal("diag") === hub.registered) {
    diag.setLogger(loggerFor(hub), { logLevel: DiagLogLevel.ALL, suppressOverrideMessage: true });
    hub.registered = registeredGlobal("diag");
  }
  return () => {
    hub.listeners.delete(listener);
    if (hub.listeners.size > 0 || state.diagnostics !== hub) return;
    state.diagnostics = undefined;
    if (registeredGlobal("diag") !== hub.registered) return;
    const previous = hub.previous as DiagLogger | undefined;
    if (previous === undefined) diag.disable();
    // It filters by the level that it was registered with.
    else diag.setLogger(previous, { logLevel: DiagLogLevel.ALL, suppressOverrideMessage: true });
  };
}

function loggerFor(hub: { listeners: Set<(message: string) => void>; previous: unknown }): DiagLogger {
  const previous = hub.previous as DiagLogger | undefined;
  const passOn =
    (level: keyof DiagLogger, heard: boolean) =>
    (message: string, ...rest: unknown[]) => {
      previous?.[level](message, ...rest);
      // A listener that throws, as one of the faults does, is the last: the others have heard by then.
      if (heard) for (const listener of [...hub.listeners]) listener(format(message, ...rest));
    };
  return {
    error: passOn("error", true),
    warn: passOn("warn", true),
    info: passOn("info", false),
    debug: passOn("debug", false),
    verbose: passOn("verbose", false),
  };
}
