/**
 * What the doctor says about one possible fault.
 *
 * @module
 */
import type { Level } from "../../verify/report.ts";
import type { Facts } from "./facts.ts";

/** A fault that was found. */
export interface Fault {
  /** Whether labels are lost (`error`) or can be lost (`warning`). */
  readonly level: Level;
  /** What was seen, one sentence. */
  readonly what: string;
  /** Versions, paths and values that say more. */
  readonly details?: readonly string[];
  readonly why: string;
  readonly fix: string;
}

/** One question about the facts. */
export interface Question {
  /** Stable. */
  readonly id: string;
  /** What is true when nothing is wrong. */
  readonly title: string;
  /** Whether it can be answered only when the application's set-up has been loaded. */
  readonly needsRunning: boolean;
  ask(facts: Facts): readonly Fault[];
}

/** The answer to a question. */
export interface Judgement {
  readonly id: string;
  readonly title: string;
  readonly outcome: "ok" | "fault" | "not-looked-at";
  readonly faults: readonly Fault[];
}
