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
  span(view: SpanView): void;
  problem(problem: InputProblem): void;
  /** Records of another signal were passed over. */
  skipped(signal: OtherSignal, records: number): void;
}
