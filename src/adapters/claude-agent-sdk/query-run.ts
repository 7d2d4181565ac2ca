/**
 * The run that a query belongs to: the one that the application has put around it on a span that records, or one of its
 * own, whose root is the span that the command line or OpenInference makes for the agent.
 *
 * @module
 */
import { context, trace } from "@opentelemetry/api";
import { recogniseSpan } from "../../attributes/conventions.ts";
import type { ExitReason } from "../../attributes/registry.ts";
import { report } from "../../labels/diagnostics.ts";
import { RecordedSpan } from "../../labels/recorded-span.ts";
import { markHandoff, markRunEnd } from "../../labels/run-span.ts";
import { factsOf, isUsable, type LabelSpan } from "../../labels/span.ts";
import { Run } from "../../run/run.ts";
import { contextWithRun, currentRunScope } from "../../run/run-context.ts";
import { type RunHandle, type StartRunOptions, startRun } from "../../run/with-run.ts";
import { type AgentResult, exitReasonOf } from "./exit-reason.ts";

/** Turns of one query whose spans have not come yet. */
const MAX_TURNS = 1_000;

interface Turn {
  readonly root: RecordedSpan;
  readonly handle: RunHandle;
}

/**
 * One query's run. A query that takes several prompts has a root span for each, one after the other: all carry the run's id
 * and its policies, and each says how its own turn ended.
 */
export class QueryRun {
  readonly run: Run;
  readonly #outer: Run | undefined;
  /** The application's own root span carries the run, and the agent's span does not. */
  readonly #isOuter: boolean;
  /** The query is what a tool of another agent does. */
  readonly #isDelegated: boolean;
  readonly #isRelayed: boolean;
  readonly #options: StartRunOptions;
  readonly #turns = new Map<number, Turn>();
  #ended = 0;
  #finished = false;
  #agentSpan: LabelSpan | undefined;

  /**
   * @param isRelayed spans of the command line are to come
   * @throws RequiredPolicyError when a required policy failed, RangeError on a wrong run id or policy
   */
  constructor(options: StartRunOptions, isRelayed: boolean) {
    const scope = currentRunScope();
    const around = trace.getSpan(context.active());
    this.#isRelayed = isRelayed;
    this.#isDelegated = isUsable(around) && recogniseSpan(factsOf(around))?.role === "tool";
    this.#isOuter = scope?.recording === true;
    this.#outer = scope?.run;
    const run = scope?.run ?? new Run(options.runId, options);
    this.run = run;
    this.#options = { ...options, runId: run.runId, fingerprint: run.fingerprint };
    if (this.#isOuter) refuseWithoutPolicies(run, options);
    else this.#turn(1);
  }

  /** Calls `fn` so that `currentRun()` finds the run in hooks and tools. */
  with<Result>(fn: () => Result): Result {
    if (this.#outer !== undefined) return fn();
    // Not said to record: a tool that is wrapped as well would otherwise be counted a second time.
    const scope = { run: this.run, recording: false, traceId: undefined };
    return context.with(contextWithRun(context.active(), scope), fn);
  }

  /** A live span stands for the whole query. */
  attach(agentSpan: LabelSpan): void {
    if (this.#isOuter) return;
    this.#agentSpan = agentSpan;
    this.#turn(1).root.attach(agentSpan);
  }

  /** A turn ended. */
  result(message: AgentResult): void {
    this.#end(this.run.stopReason ?? exitReasonOf(message) ?? "final_answer");
  }

  /** The query is over: a turn that was begun and has no result was cut off. */
  finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    if (this.#ended === 0) this.#end(this.run.stopReason ?? "error");
    this.#turns.get(1)?.root.release();
    this.#agentSpan = undefined;
  }

  #end(reason: ExitReason): void {
    this.#ended += 1;
    if (this.#isOuter) return;
    this.#turn(this.#ended).handle.end(reason);
    // The span of the whole query says how its last turn ended.
    if (this.#ended > 1) markRunEnd(this.#agentSpan, reason);
    if (!this.#isRelayed) this.#turns.delete(this.#ended);
  }

  /**
   * The labels of the agent's span of a turn, from 1; `wait` while the turn goes on.
   *
   * @param spanId the span's own, which tells a delegation from every other
   */
  rootOf(turn: number, spanId: string | undefined, last: boolean): RecordedSpan | "wait" | undefined {
    if (!(turn >= 1 && turn <= this.#ended + MAX_TURNS)) return undefined;
    const root = this.#isOuter ? new RecordedSpan() : this.#endedRoot(turn, last);
    if (root !== "wait" && this.#isDelegated && spanId !== undefined) markHandoff(root, spanId);
    return root;
  }

  #endedRoot(turn: number, last: boolean): RecordedSpan | "wait" {
    if (turn > this.#ended && !this.#finished && !last) return "wait";
    const { root, handle } = this.#turn(turn);
    if (turn > this.#ended && this.#finished) handle.end("error");
    this.#turns.delete(turn);
    return root;
  }

  #turn(number: number): Turn {
    const known = this.#turns.get(number);
    if (known !== undefined) return known;
    const root = new RecordedSpan();
    const turn = { root, handle: startRun(root, this.#options) };
    this.#turns.set(number, turn);
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > MAX_TURNS && oldest !== undefined) {
      this.#turns.delete(oldest);
      report("turns overflow", "", () => `more than ${MAX_TURNS} turns of a query have no span`);
    }
    return turn;
  }
}

// The outer run binds its policies itself; one that this query requires is required there too.
function refuseWithoutPolicies(run: Run, options: StartRunOptions): void {
  try {
    startRun(undefined, options);
  } catch (error) {
    run.stop("policy_stop");
    throw error;
  }
}
