/** The tracing of this suite, and what every scenario of it has to keep. */
import { DiagLogLevel, diag } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { expectOnly, expectPass as expectPassExcept, ROOT, startTracing } from "../traced.ts";

export { labelsOf, verified } from "../traced.ts";

const traced = startTracing();
export const { provider, takeSpans, inRequest, inRun, inSpan } = traced;
export const tracer = provider.getTracer("application");

/** No label of ours stands anywhere but on `labelled` and on roots. */
export function expectNoOtherLabels(spans: readonly ReadableSpan[], labelled: readonly ReadableSpan[]): void {
  expectOnly(spans, (span) => labelled.includes(span) || span.name === ROOT);
}

/** Passes, and leaves nothing open but what the instrumentation does not capture exactly. */
export const expectPass = (spans: readonly ReadableSpan[]): void =>
  expectPassExcept(spans, ["fingerprint-true"]);

/** What `diag` is told while `fn` runs. */
export async function heard(fn: () => Promise<unknown>): Promise<string[]> {
  const messages: string[] = [];
  const log = (message: string) => void messages.push(message);
  diag.setLogger(
    { error: log, warn: log, info: () => {}, debug: () => {}, verbose: () => {} },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  try {
    await fn();
  } finally {
    diag.disable();
  }
  return messages;
}
