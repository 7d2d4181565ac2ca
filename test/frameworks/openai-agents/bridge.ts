/** What copies the SDK's own spans to OpenTelemetry: instrumentations do it in different ways. */
import type { TracerProvider } from "@opentelemetry/api";

export interface Bridge {
  /** As the table of frameworks names it. */
  readonly name: string;
  /** The SDK's trace processors of it, on a provider or on the global one; none for one that sees to it itself. */
  processors(provider?: TracerProvider): readonly object[];
  /** Where it puts a tool's result. */
  readonly result: string;
  /** How it names an agent's span. */
  agentSpan(agent: string): string;
}
