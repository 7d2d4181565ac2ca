/**
 * Where readers put what they read. The verifier is one; a list is another.
 *
 * @module
 */
import type { InputProblem } from "../report.ts";
import type { SpanView } from "../span-view.ts";

/** Signals that share a file with spans and are not read. */
export type OtherSignal = "logs" | "metrics" | "profiles";

/** Takes what a reader reads, in the order in which it stands in the input. */
export interface SpanSink {
  /** A span was read. One that the input has twice comes twice. */
  span(view: SpanView): void;
  /** Something could not be read, and the reader goes on behind it where it can. */
  problem(problem: InputProblem): void;
  /** Records of another signal were passed over. */
  skipped(signal: OtherSignal, records: number): void;
}
