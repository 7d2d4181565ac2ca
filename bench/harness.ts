/**
 * Compares candidates that do the same job.
 *
 * What decides here is not the time but the ratio to a baseline, because machines are shared and their clocks move:
 * every round measures each candidate once, in random order, and the ratio is taken inside the round. Before the
 * first round every candidate has seen every input, so that none is measured with the type feedback of one shape.
 *
 * @module
 */

export interface Candidate {
  readonly name: string;
  readonly run: (value: unknown) => unknown;
}

export interface Measured {
  readonly name: string;
  /** Median time of one call in nanoseconds. */
  readonly nanoseconds: number;
  /** Median of the per-round ratios to the baseline. */
  readonly ratio: number;
}

export interface Effort {
  readonly rounds: number;
  /** How long one candidate runs in one round, in milliseconds; at least one call. */
  readonly sample: number;
}

export const FULL: Effort = { rounds: 31, sample: 12 };
export const QUICK: Effort = { rounds: 7, sample: 4 };

// Results go here, so that no call can be optimised away.
let sink: unknown;

/** Copies that were parsed one by one, since no program fingerprints one object again and again. */
function copiesOf(value: unknown): unknown[] {
  const text = JSON.stringify(value);
  return Array.from({ length: text.length > 100_000 ? 2 : 8 }, () => JSON.parse(text) as unknown);
}

/** Runs every candidate over every input until the optimiser has nothing left to learn. */
export function warmUp(candidates: readonly Candidate[], inputs: readonly unknown[], effort: Effort): void {
  for (let pass = 0; pass < 3; pass++)
    for (const { run } of candidates)
      for (const input of inputs) timePerCall(run, copiesOf(input), effort.sample);
}

/** Average time of a call over at least `sample` milliseconds, in nanoseconds. */
function timePerCall(run: Candidate["run"], copies: readonly unknown[], sample: number): number {
  const start = process.hrtime.bigint();
  const end = start + BigInt(Math.round(sample * 1e6));
  let calls = 0;
  let now = start;
  do {
    for (let call = 0; call < copies.length; call++) sink = run(copies[call]);
    calls += copies.length;
    now = process.hrtime.bigint();
  } while (now < end);
  return Number(now - start) / calls;
}

/** Measures all candidates on one input. `baseline` names the one that has ratio 1. */
export function compare(
  candidates: readonly Candidate[],
  baseline: string,
  input: unknown,
  effort: Effort,
): readonly Measured[] {
  const copies = copiesOf(input);
  const times = new Map<string, number[]>(candidates.map(({ name }) => [name, []]));
  for (let round = 0; round < effort.rounds; round++)
    for (const { name, run } of shuffled(candidates))
      times.get(name)!.push(timePerCall(run, copies, effort.sample));
  const base = times.get(baseline)!;
  return candidates.map(({ name }) => {
    const own = times.get(name)!;
    return { name, nanoseconds: median(own), ratio: median(own.map((time, round) => time / base[round]!)) };
  });
}

export function lastResult(): unknown {
  return sink;
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [copy[last], copy[other]] = [copy[other]!, copy[last]!];
  }
  return copy;
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
