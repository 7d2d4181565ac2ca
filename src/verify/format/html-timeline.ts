/**
 * Times of a tree as places on a line, in percent.
 *
 * @module
 */
import type { TreeSpan } from "../report.ts";

/** Where a span's bar is. */
export interface Bar {
  readonly left: number;
  readonly width: number;
}

/** The line of time of one tree. */
export interface Timeline {
  /** Missing for a span without times. */
  barOf(span: TreeSpan): Bar | undefined;
  /** Times to write above the line, with their places. */
  readonly ticks: readonly { readonly left: number; readonly text: string }[];
}

const TICKS = 4;

/** `undefined` when no span of the tree has a time. */
export function timelineOf(tree: readonly TreeSpan[]): Timeline | undefined {
  // Clocks differ a little: a child can start before its parent and end after it.
  const starts = tree.flatMap(({ startMilliseconds }) => startMilliseconds ?? []);
  const ends = tree.flatMap((span) => endOf(span) ?? []);
  if (starts.length === 0 || ends.length === 0) return undefined;
  const from = Math.min(...starts);
  const length = Math.max(...ends) - from || 1;
  const place = (time: number): number => rounded(((time - from) / length) * 100);
  return {
    barOf(span) {
      const { startMilliseconds: start } = span;
      if (start === undefined) return undefined;
      const left = place(start);
      return { left, width: rounded(place(endOf(span) ?? start) - left) };
    },
    ticks: Array.from({ length: TICKS }, (_, index) => ({
      left: rounded((100 / TICKS) * index),
      text: durationText(from + (length / TICKS) * index),
    })),
  };
}

/** A duration in the unit that suits it. */
export function durationText(milliseconds: number): string {
  if (milliseconds >= 60_000) {
    const seconds = Math.round(milliseconds / 1000);
    return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
  if (milliseconds >= 1_000) return `${threeDigits(milliseconds / 1000)} s`;
  return milliseconds === 0 ? "0" : `${threeDigits(milliseconds)} ms`;
}

const threeDigits = (value: number): string => String(Number(value.toPrecision(3)));

const rounded = (value: number): number => Math.round(value * 100) / 100;

function endOf({ startMilliseconds, durationMilliseconds }: TreeSpan): number | undefined {
  if (startMilliseconds === undefined) return undefined;
  return startMilliseconds + (durationMilliseconds ?? 0);
}
