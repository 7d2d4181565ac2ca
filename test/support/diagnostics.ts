/** Hears what goes to OpenTelemetry's `diag`. */
import { DiagLogLevel, diag } from "@opentelemetry/api";

/** Collects the messages from now on; each call starts afresh, and everything counts as not yet said. */
export function hearDiagnostics(): string[] {
  const messages: string[] = [];
  const hear = (message: string) => void messages.push(message);
  diag.setLogger(
    { error: hear, warn: hear, info: hear, debug: hear, verbose: hear },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  return messages;
}

/** Only what this package says: SDKs talk too. */
export const ownMessages = (messages: readonly string[]): string[] =>
  messages.filter((message) => message.startsWith("agent-reliability-otel-labels: "));
