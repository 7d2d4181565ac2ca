/**
 * The matchers, for `expect.extend` of vitest and jest.
 *
 * @module
 */
import type { ExitReason } from "../../attributes/registry.ts";
import type { RecordedTraces } from "../recording/recorded-traces.ts";
import type { AssertVerifiedOptions } from "../verdict/judge.ts";
import type { ExpectedLabels } from "./expected-labels.ts";
import { type FindingsMatcherOptions, toHaveNoFindings } from "./to-have-no-findings.ts";
import { toHaveRunEnd } from "./to-have-run-end.ts";
import { toHaveToolSpan } from "./to-have-tool-span.ts";
import { toPassVerification } from "./to-pass-verification.ts";

/**
 * The matchers, for `expect.extend(matchers)`. With vitest, import `agent-reliability-otel-labels/testing/vitest`
 * instead, which adds them with their types.
 */
export const matchers: {
  readonly toPassVerification: typeof toPassVerification;
  readonly toHaveToolSpan: typeof toHaveToolSpan;
  readonly toHaveRunEnd: typeof toHaveRunEnd;
  readonly toHaveNoFindings: typeof toHaveNoFindings;
} = { toPassVerification, toHaveToolSpan, toHaveRunEnd, toHaveNoFindings };

/** A promise where a recording was given, since its spans are waited for: `await expect(traces)...`. */
// biome-ignore lint/suspicious/noConfusingVoidType: it is the return type of matchers, which return nothing
type Answer<Received> = Received extends RecordedTraces ? Promise<void> : void;

/** The matchers as a test calls them, to extend the types of a test runner with. */
export interface TraceMatchers<Received> {
  /** Every check of the verifier passes, and no agent or tool span was left open. Of a recording, spans, or a report. */
  toPassVerification(options?: AssertVerifiedOptions): Answer<Received>;
  /** There is a span of a call of this tool with these labels. Of a recording, or spans. */
  toHaveToolSpan(name: string, labels?: ExpectedLabels): Answer<Received>;
  /** Each run ended so; behind `.not`, none did. Of a recording, or spans. */
  toHaveRunEnd(reason: ExitReason): Answer<Received>;
  /** No rule of the subpath `/findings` fires, from high severity on or from `from` on. Of a recording, or spans. */
  toHaveNoFindings(options?: FindingsMatcherOptions): Answer<Received>;
}
