/**
 * For the tests of applications: recording the spans of a test, checking them, and proving that labelling never fails a
 * tool and never lets content out. Plain functions, for any test runner.
 *
 * @module
 */
export { assertNoLeak, type LeakOptions } from "./canary/assert-no-leak.ts";
export { type Canary, type CanaryPlace, plantCanary } from "./canary/canary.ts";
export { assertToolSurvivesFaults, type ToolFaultOptions } from "./faults/assert-tool-survives-faults.ts";
export { assertWrapperSurvivesFaults } from "./faults/assert-wrapper-survives-faults.ts";
export { TOOL_FAULTS, type ToolFault } from "./faults/tool-faults.ts";
export type { AsymmetricMatcher, ExpectedLabels } from "./matchers/expected-labels.ts";
export { matchers, type TraceMatchers } from "./matchers/index.ts";
export type { FindingsMatcherOptions } from "./matchers/to-have-no-findings.ts";
export { type RecordTracesOptions, recordTraces } from "./recording/record-traces.ts";
export type { RecordedTraces } from "./recording/recorded-traces.ts";
export type { RecordedSpan, SpanProcessorLike } from "./recording/span-types.ts";
export {
  TESTING_ERROR_CODES,
  TestingError,
  type TestingErrorCode,
  type TraceAssertionCode,
  TraceAssertionError,
} from "./testing-error.ts";
export { assertVerified } from "./verdict/assert-verified.ts";
export type { AssertVerifiedOptions } from "./verdict/judge.ts";
