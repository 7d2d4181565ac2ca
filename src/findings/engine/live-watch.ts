/**
 * Findings while spans still arrive: the rules, on what is known of a run so far. Bounded: the last calls of the runs
 * that were heard of last.
 *
 * @module
 */
import type { Hit } from "../conditions/judged.ts";
import type { RuleFinding } from "../finding.ts";
import type { Field } from "../rows/fields.ts";
import { byStep, type SpanRow } from "../rows/span-row.ts";
import type { Condition } from "../rules/rule.ts";
import { findingOf, type RuleTally } from "./rule-tally.ts";

const MAX_RUNS = 2_000;
const MAX_ROWS = 200;

interface OpenRun {
  readonly rows: SpanRow[];
  /** What was told already. */
  readonly told: Set<string>;
}

/** Tells of findings once each. */
export class LiveWatch {
  readonly #tallies: readonly RuleTally[];
  readonly #tell: (finding: RuleFinding) => void;
  readonly #run: string | undefined;
  readonly #seen: ReadonlySet<Field>;
  // In the order in which they were heard of last.
  readonly #runs = new Map<string, OpenRun>();

  /**
   * @param run when given, the only run that is watched
   * @param seen fields of other programs that are in the input so far
   */
  constructor(
    tallies: readonly RuleTally[],
    tell: (finding: RuleFinding) => void,
    run: string | undefined,
    seen: ReadonlySet<Field>,
  ) {
    this.#tallies = tallies;
    this.#tell = tell;
    this.#run = run;
    this.#seen = seen;
  }

  /** A span came, seen without those above it. */
  add(row: SpanRow): void {
    if (this.#run !== undefined && row.runId !== this.#run) return;
    const open = this.#open(row.runId ?? `trace ${row.span.traceId}`);
    open.rows.push(row);
    if (open.rows.length > MAX_ROWS) open.rows.shift();
    const rows = [...open.rows].sort(byStep);
    for (const tally of this.#tallies) {
      if (tally.waitsFor(this.#seen)) continue;
      for (const hit of tally.judge(rows, row.runId)?.hits ?? []) {
        const key = `${tally.rule.id}\n${keyOf(tally.condition, hit)}`;
        if (open.told.has(key) || open.told.size > MAX_ROWS * 4) continue;
        open.told.add(key);
        this.#tell(findingOf(tally.rule, hit, row.runId));
      }
    }
  }

  #open(key: string): OpenRun {
    const open = this.#runs.get(key) ?? { rows: [], told: new Set() };
    this.#runs.delete(key);
    this.#runs.set(key, open);
    if (this.#runs.size > MAX_RUNS) {
      const [oldest] = this.#runs.keys();
      this.#runs.delete(oldest as string);
    }
    return open;
  }
}

// The same finding has the same key although more calls join it, or an earlier one comes later.
function keyOf(condition: Condition, { row, values }: Hit): string {
  switch (condition.kind) {
    case "sequence":
    case "lacking":
      return "";
    case "unbound":
      return condition.subject === "delegations" ? String(values.handoffId) : row.span.spanId;
    default:
      return condition.groupBy === undefined
        ? row.span.spanId
        : JSON.stringify(condition.groupBy.map((field) => values[field] ?? null));
  }
}
