/**
 * Checks exported spans against the contract of the labels, wherever they come from: an in-memory exporter, a file, a
 * stream. Runs anywhere, imports no OpenTelemetry package, and nothing that writes labels.
 *
 * @module
 */
export type { CheckDescription } from "./checks/check.ts";
export { CHECK_IDS, type CheckId } from "./checks/check-id.ts";
export { checks } from "./checks/index.ts";
export { createVerifier, type Verifier, verify } from "./engine/verifier.ts";
export {
  type FormatOptions,
  formatReport,
  REPORT_FORMATS,
  type ReportFormat,
} from "./format/format-report.ts";
export { type VerifyOptions, VerifyOptionsError } from "./options.ts";
export { readOtlpValue } from "./read/otlp-document.ts";
export { createOtlpReader, type OtlpReader, type OtlpReaderOptions } from "./read/otlp-reader.ts";
export { type OtlpContents, readOtlp } from "./read/read-otlp.ts";
export { readSpan, readSpans, type SpanInput } from "./read/read-spans.ts";
export type { ReadableSpanLike } from "./read/readable-span.ts";
export type { OtherSignal, SpanSink } from "./read/span-sink.ts";
export type {
  CheckResult,
  Finding,
  InputProblem,
  Level,
  NothingReason,
  Outcome,
  Report,
  RunSummary,
  SpanReference,
  TreeSpan,
  Verdict,
} from "./report.ts";
export type { AttributeBag, SpanEventView, SpanPosition, SpanStatus, SpanView } from "./span-view.ts";
