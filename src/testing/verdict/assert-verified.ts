/**
 * The verdict as an assertion, for any test runner.
 *
 * @module
 */
import type { Report } from "../../verify/index.ts";
import type { RecordedSpan } from "../recording/span-types.ts";
import { TraceAssertionError } from "../testing-error.ts";
import { type AssertVerifiedOptions, judge } from "./judge.ts";

/**
 * Checks spans and throws unless every check passes. Nothing to check is not a pass.
 *
 * @param spans finished spans of any SDK; {@link RecordedTraces.assertVerified} does it for a recording
 * @returns the report, for a closer look
 * @throws TraceAssertionError `not_verified`, with the report as its message
 * @throws VerifyOptionsError on an option that cannot be used
 * @example
 * ```ts
 * import { InMemorySpanExporter } from "@opentelemetry/sdk-trace-node";
 * import { assertVerified } from "agent-reliability-otel-labels/testing";
 *
 * declare const exporter: InMemorySpanExporter;
 * assertVerified(exporter.getFinishedSpans());
 * ```
 */
export function assertVerified(spans: Iterable<RecordedSpan>, options?: AssertVerifiedOptions): Report {
  const { holds, report, text } = judge([...spans], options);
  if (!holds) {
    throw new TraceAssertionError("not_verified", `The recorded spans do not pass verification.\n\n${text}`);
  }
  return report;
}
