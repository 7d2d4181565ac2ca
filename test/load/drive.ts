/**
 * Makes spans at a pace: as many as are due, in slices short enough for the event loop to live, and none while whoever
 * takes them is behind.
 *
 * @module
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";

/** What is driven. */
export interface Drive {
  readonly seconds: number;
  /** Spans a second; infinite for as many as can be made. */
  readonly rate: number;
  /** Makes a few spans. */
  readonly step: () => void;
  /** Spans made so far. */
  readonly spans: () => number;
  /** True while no more should be made. */
  readonly isBehind: () => boolean;
}

/** How it went. */
export interface Driven {
  readonly spans: number;
  readonly seconds: number;
  /** Processor time of this process: what a busy machine does not change. */
  readonly processorSeconds: number;
  /** Milliseconds beyond a timer's time, 99 times of 100 less. */
  readonly delay99: number;
  readonly longestDelay: number;
}

const SLICE_MILLISECONDS = 4;

/** Drives for so many seconds. */
export async function drive({ seconds, rate, step, spans, isBehind }: Drive): Promise<Driven> {
  const before = spans();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const start = performance.now();
  const used = process.cpuUsage();
  const passed = (): number => (performance.now() - start) / 1_000;
  while (passed() < seconds) {
    const sliceEnd = performance.now() + SLICE_MILLISECONDS;
    while (performance.now() < sliceEnd && !isBehind() && spans() - before < passed() * rate) step();
    await nextTurn();
  }
  delay.disable();
  return {
    spans: spans() - before,
    seconds: passed(),
    processorSeconds: processorSecondsSince(used),
    delay99: delay.percentile(99) / 1e6,
    longestDelay: delay.max / 1e6,
  };
}

/** Processor time since a mark of `process.cpuUsage()`. */
export function processorSecondsSince(mark: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(mark);
  return (user + system) / 1e6;
}
