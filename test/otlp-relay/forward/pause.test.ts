import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Pause } from "../../../src/otlp-relay/forward/pause.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A pause, and how long it lasts from now. */
function start(random: number) {
  vi.spyOn(Math, "random").mockReturnValue(random);
  let over = 0;
  const pause = new Pause({ firstMilliseconds: 100, longestMilliseconds: 350 }, () => {
    over += 1;
  });
  const lasts = (): number => {
    const [from, before] = [Date.now(), over];
    while (over === before && Date.now() - from < 100_000) vi.advanceTimersByTime(1);
    return Date.now() - from;
  };
  return { pause, lasts };
}

describe("Pause", () => {
  it("doubles with each failure, up to its longest, and starts anew after a success", () => {
    const { pause, lasts } = start(1);
    const waits = [1, 2, 3, 4].map(() => {
      pause.failed(undefined);
      return lasts();
    });
    expect(waits).toEqual([100, 200, 350, 350]);
    expect([pause.on, pause.probing]).toEqual([false, true]);
    pause.succeeded();
    expect(pause.probing).toBe(false);
    pause.failed(undefined);
    expect(lasts()).toBe(100);
  });

  it("lasts between half of that and all of it", () => {
    const { pause, lasts } = start(0);
    pause.failed(undefined);
    expect(lasts()).toBe(50);
    pause.failed(undefined);
    expect(lasts()).toBe(100);
  });

  it("counts failures of attempts that ran beside each other once", () => {
    const { pause, lasts } = start(1);
    for (let count = 0; count < 4; count += 1) pause.failed(undefined);
    expect(lasts()).toBe(100);
    pause.failed(undefined);
    expect(lasts()).toBe(200);
  });

  it("never ends before the endpoint said, whichever of its answers said most", () => {
    const { pause, lasts } = start(1);
    pause.failed(5_000);
    pause.failed(2_000);
    pause.failed(7_000);
    pause.failed(undefined);
    expect(lasts()).toBe(7_000);
  });

  it("is no shorter for an endpoint that asks for nothing", () => {
    const { pause, lasts } = start(1);
    pause.failed(0);
    expect(lasts()).toBe(100);
  });

  it("can be ended early, but not one that the endpoint asked for", () => {
    const { pause, lasts } = start(1);
    pause.failed(undefined);
    pause.hurry();
    expect(pause.on).toBe(false);
    pause.failed(1_000);
    pause.hurry();
    expect(pause.on).toBe(true);
    expect(lasts()).toBe(1_000);
  });

  it("does not end any more once it was stopped", () => {
    const { pause, lasts } = start(1);
    pause.failed(undefined);
    pause.stop();
    expect(pause.on).toBe(false);
    expect(lasts()).toBe(100_000);
  });
});
