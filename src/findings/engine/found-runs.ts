/**
 * The runs in which something was found, as trees: what a page shows. Trees of runs that are not judged yet wait here;
 * nearly all of them are forgotten again, since nothing is found.
 *
 * @module
 */
import { KeptSmallest } from "../../verify/engine/kept-smallest.ts";
import { summariesOf } from "../../verify/engine/run-summary.ts";
import { type RunTree, runTrees } from "../../verify/engine/run-tree.ts";
import type { SealedTrace } from "../../verify/engine/sealed-trace.ts";
import { compareText } from "../../verify/engine/span-record.ts";
import type { RunSummary } from "../../verify/report.ts";
import type { RuleFinding } from "../finding.ts";
import type { FindingsSettings } from "../options.ts";
import type { RuleId } from "../rules/rule.ts";

interface KeptRun {
  readonly place: string;
  readonly start: number;
  readonly trees: readonly RunTree[];
}

/** A run, or a trace whose spans have none. */
export type Place = { readonly runId: string } | { readonly traceId: string };

/** Keeps the first runs that each rule finds something in. */
export class FoundRuns {
  readonly #maxRuns: number;
  readonly #run: string | undefined;
  readonly #maxSpans: number;
  readonly #waiting = new Map<string, RunTree[]>();
  #waitingSpans = 0;
  // By rule: whether a rule applies at all can be known at the end only, and the others must have their places.
  readonly #kept = new Map<RuleId, KeptSmallest<KeptRun>>();

  constructor({ maxRuns, run, maxOpenSpans }: FindingsSettings) {
    this.#maxRuns = maxRuns;
    this.#run = run;
    this.#maxSpans = maxOpenSpans;
  }

  /** A trace is complete. What it is a part of is judged later. */
  sawTrace(trace: SealedTrace): void {
    for (const tree of runTrees(trace, this.#run)) {
      for (const place of placesOf(tree)) {
        const trees = this.#waiting.get(place);
        if (trees === undefined) this.#waiting.set(place, [tree]);
        else trees.push(tree);
        this.#waitingSpans += tree.tree.length;
      }
    }
    // Of runs that wait too long only the findings are shown.
    for (const place of this.#waiting.keys()) {
      if (this.#waitingSpans <= this.#maxSpans) break;
      this.#drop(place);
    }
  }

  /** The rule found something there. */
  keep(rule: RuleId, place: Place): void {
    const key = keyOf(place);
    const trees = this.#waiting.get(key);
    if (trees === undefined) return;
    let kept = this.#kept.get(rule);
    if (kept === undefined) {
      kept = new KeptSmallest(this.#maxRuns, byTime);
      this.#kept.set(rule, kept);
    }
    kept.add({ place: key, start: Math.min(...trees.map(({ start }) => start)), trees: [...trees] });
  }

  /** It has been judged. */
  judged(place: Place): void {
    this.#drop(keyOf(place));
  }

  /** The runs of the findings that are reported, in their order. */
  summaries(findings: readonly RuleFinding[]): RunSummary[] {
    const rules = new Set(findings.map(({ rule }) => rule));
    const trees = [...rules].flatMap((rule) =>
      (this.#kept.get(rule)?.sorted() ?? []).flatMap((kept) => kept.trees),
    );
    return summariesOf([...new Set(trees)], this.#maxRuns);
  }

  #drop(key: string): void {
    for (const { tree } of this.#waiting.get(key) ?? []) this.#waitingSpans -= tree.length;
    this.#waiting.delete(key);
  }
}

const keyOf = (place: Place): string => ("runId" in place ? `run ${place.runId}` : `trace ${place.traceId}`);

// A tree can hold a run inside another run.
function placesOf({ traceId, runId, tree }: RunTree): ReadonlySet<string> {
  const places = new Set([keyOf({ traceId })]);
  if (runId !== undefined) places.add(keyOf({ runId }));
  for (const { labels } of tree) {
    const own = labels["trustabl.run_id"];
    if (typeof own === "string") places.add(keyOf({ runId: own }));
  }
  return places;
}

const byTime = (a: KeptRun, b: KeptRun): number => a.start - b.start || compareText(a.place, b.place);
