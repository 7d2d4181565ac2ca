/** The tracing of this suite: LangChain tells its handlers what happened a little later. */
import { awaitAllCallbacks } from "@langchain/core/callbacks/promises";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { expectOnly, startTracing } from "../traced.ts";

export { labelsOf, verified } from "../traced.ts";

const traced = startTracing();
export const { provider, inRequest, inRun } = traced;

/** Every finished span so far, after LangChain has told its handlers everything; forgets them. */
export async function takeSpans(): Promise<ReadableSpan[]> {
  await awaitAllCallbacks();
  return traced.takeSpans();
}

/** No label of ours stands anywhere but on `labelled`. */
export function expectNoOtherLabels(spans: readonly ReadableSpan[], labelled: readonly ReadableSpan[]): void {
  expectOnly(spans, (span) => labelled.includes(span));
}
