/**
 * The key of the run around the running code. Labels do not know what a run is; but a label that is written by hand inside
 * a keyed run has to be keyed as well.
 *
 * @module
 */
import { context, createContextKey } from "@opentelemetry/api";
import type { FingerprintKey } from "../fingerprint/index.ts";

/**
 * Where a run stands in a context. The API makes the same key for the same description, so two installed copies of this
 * package share runs.
 */
export const RUN_SCOPE: symbol = createContextKey("agent-reliability-otel-labels.run-scope");

interface KeyedScope {
  readonly run?: { readonly fingerprint?: { readonly key: FingerprintKey } | undefined } | undefined;
}

/** The key of the active run; `undefined` where there is no run, or its fingerprints have no key. */
export function keyOfActiveRun(): FingerprintKey | undefined {
  return (context.active().getValue(RUN_SCOPE) as KeyedScope | undefined)?.run?.fingerprint?.key;
}
