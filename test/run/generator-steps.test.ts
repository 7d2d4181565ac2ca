import { context, ROOT_CONTEXT, type Span } from "@opentelemetry/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { currentRun, type Run, type RunHandle, startRun, withRun } from "../../src/index.ts";
import { hearDiagnostics } from "../support/diagnostics.ts";
import { sdk2 } from "../support/sdks-here.ts";
import { type TestTracing, useContextManager } from "../support/tracing.ts";

useContextManager();

let tracing: TestTracing;
let root: Span;
let handle: RunHandle;
beforeEach(() => {
  hearDiagnostics();
  tracing = sdk2.open();
  root = tracing.tracer.startSpan("invoke_agent helper");
  handle = startRun(root);
});
afterEach(() => tracing.close());

/** The run that each step of an agent that is a generator runs in. */
async function* steps(): AsyncGenerator<Run | undefined> {
  yield currentRun();
  await Promise.resolve();
  yield currentRun();
}
const read = async (stream: AsyncIterable<Run | undefined>) => {
  const runs: (Run | undefined)[] = [];
  for await (const run of stream) runs.push(run);
  return runs;
};

describe("a generator that comes out of a run", () => {
  it("stays in the run, though it is read outside", async () => {
    expect(await read(handle.with(steps))).toEqual([handle.run, handle.run]);
    expect(currentRun()).toBeUndefined();
  });

  it("stays in the run where withRun waited for it", async () => {
    let started: Run | undefined;
    const stream = await withRun(root, async (run) => {
      started = run;
      await Promise.resolve();
      return steps();
    });
    expect(await read(stream)).toEqual([started, started]);
    // biome-ignore lint/suspicious/noThenProperty: query builders and SDK requests are such objects
    const lazily = withRun(root, () => ({ then: (take: (stream: object) => unknown) => take(steps()) }));
    expect(await read((await lazily) as AsyncIterable<Run>)).not.toContain(undefined);
    expect(currentRun()).toBeUndefined();
  });

  it("stays in the run where it waits for another one itself, written as documented", async () => {
    const stream = handle.with(async function* () {
      yield* await (async () => steps())();
    });
    expect(await read(stream)).toEqual([handle.run, handle.run]);
  });

  it("stays in its own run where another run reads it", async () => {
    const other = startRun(tracing.tracer.startSpan("invoke_agent other"));
    const stream = handle.with(steps);
    expect(await other.with(async () => await read(stream))).toEqual([handle.run, handle.run]);
  });

  it("stays in the run where it delegates to another generator", async () => {
    const outer = handle.with(async function* () {
      yield* steps();
      yield* steps();
    });
    expect(await read(outer)).toEqual(new Array(4).fill(handle.run));
  });

  it("cleans up in the run when its reader stops early, or throws into it", async () => {
    const cleaned: (Run | undefined)[] = [];
    const agent = async function* () {
      try {
        yield 1;
      } finally {
        cleaned.push(currentRun());
      }
    };
    for await (const _ of handle.with(agent)) break;
    const stream = handle.with(agent);
    await stream.next();
    const error = new Error("stop it");
    await expect(stream.throw(error)).rejects.toBe(error);
    expect(cleaned).toEqual([handle.run, handle.run]);
  });

  it.each([
    ["is read to its end", 9, "final_answer"],
    ["loses its reader", 1, "error"],
  ])("has a true end where it %s, written as documented", async (_how, parts, reason) => {
    async function* answer() {
      try {
        yield* handle.with(steps);
        handle.end("final_answer");
      } finally {
        handle.end("error");
        root.end();
      }
    }
    let read = 0;
    for await (const _ of answer()) {
      read += 1;
      if (read === parts) break;
    }
    expect(tracing.finished()[0]?.attributes["trustabl.exit_reason"]).toBe(reason);
  });

  it("stays in the run when it is synchronous", () => {
    const stream = handle.with(function* () {
      yield currentRun();
    });
    expect([...stream]).toEqual([handle.run]);
  });

  it("has the reader's own span and values in its context besides", async () => {
    const key = Symbol("baggage");
    const stream = handle.with(async function* () {
      yield context.active().getValue(key);
    });
    const seen = await context.with(ROOT_CONTEXT.setValue(key, "the reader's"), () => stream.next());
    expect(seen.value).toBe("the reader's");
  });

  it("is a generator still, and not started", () => {
    let started = false;
    const stream = handle.with(async function* () {
      started = true;
      yield 1;
    });
    expect(Object.prototype.toString.call(stream)).toBe("[object AsyncGenerator]");
    expect(stream[Symbol.asyncIterator]()).toBe(stream);
    expect(started).toBe(false);
  });

  it("is the very same object where it is no generator, whatever methods it has", () => {
    const query = new (class {
      #private = 1;
      async next() {
        return { done: true, value: this.#private };
      }
      [Symbol.asyncIterator]() {
        return this;
      }
    })();
    for (const result of [query, new ReadableStream(), [1].values(), Promise.resolve(1), undefined, 7]) {
      expect(handle.with(() => result) === result).toBe(true);
    }
  });
});
