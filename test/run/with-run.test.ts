import { context, type Span } from "@opentelemetry/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MediationError } from "../../src/claims/index.ts";
import { currentRun, startRun, withRun } from "../../src/index.ts";
import { hearDiagnostics, ownMessages } from "../support/diagnostics.ts";
import { binding } from "../support/label-suite.ts";
import { sdk2 } from "../support/sdks-here.ts";
import { labelsOf, type TestTracing, useContextManager } from "../support/tracing.ts";

useContextManager();

let tracing: TestTracing;
let heard: string[];
let root: Span;
beforeEach(() => {
  tracing = sdk2.open();
  heard = hearDiagnostics();
  root = tracing.tracer.startSpan("invoke_agent helper");
});
afterEach(() => tracing.close());

const finished = () => {
  root.end();
  return tracing.finished()[0];
};
const exitReason = () => finished()?.attributes["trustabl.exit_reason"];

describe("withRun", () => {
  it("marks start and end, and returns what the function returns", () => {
    expect(withRun(root, () => 42, { runId: "mine" })).toBe(42);
    expect(labelsOf(finished())).toEqual({
      "trustabl.run_id": "mine",
      "trustabl.exit_reason": "final_answer",
    });
  });

  it("marks the end of an async run before its caller goes on", async () => {
    const answer = withRun(root, async () => "answer");
    expect(answer).toBeInstanceOf(Promise);
    expect(await answer).toBe("answer");
    expect(exitReason()).toBe("final_answer");
  });

  it("refuses what is no function before anything is marked", () => {
    const call = withRun as unknown as (...parameters: unknown[]) => unknown;
    for (const parameters of [[root], [() => 1], [root, "go"]]) {
      expect(() => call(...parameters)).toThrow(
        new TypeError("withRun expected a function as its second parameter"),
      );
    }
    expect(labelsOf(finished())).toEqual({});
  });

  it("binds the policies before the run starts", () => {
    let bound = 0;
    withRun(
      root,
      () => {
        bound = (root as unknown as { events: unknown[] }).events.length;
      },
      { policies: new Set([binding]) },
    );
    expect(bound).toBe(1);
  });

  it("carries the run in the context, through awaits and timers", async () => {
    await withRun(root, async (run) => {
      expect(currentRun()).toBe(run);
      await new Promise((done) => setTimeout(done, 1));
      expect(currentRun()).toBe(run);
    });
    expect(currentRun()).toBeUndefined();
  });

  it("keeps nested and concurrent runs apart", async () => {
    await withRun(root, async (outer) => {
      const other = tracing.tracer.startSpan("other");
      await Promise.all([
        withRun(other, async (inner) => {
          await Promise.resolve();
          expect(currentRun()).toBe(inner);
        }),
        Promise.resolve().then(() => expect(currentRun()).toBe(outer)),
      ]);
    });
  });

  it.each([
    [
      "throws",
      (error: unknown) => () => {
        throw error;
      },
    ],
    ["rejects", (error: unknown) => () => Promise.reject(error)],
  ])("marks `error` for a function that %s, with the very same error", async (_how, failing) => {
    const error = Object.freeze({ code: "no" });
    const caught = await (async () => withRun(root, failing(error)))().catch((thrown: unknown) => thrown);
    expect(caught).toBe(error);
    expect(exitReason()).toBe("error");
  });

  it("marks what run.stop() said, also when the function throws to stop", () => {
    expect(() =>
      withRun(root, (run) => {
        run.stop("policy_stop");
        throw new Error("stopped");
      }),
    ).toThrow("stopped");
    expect(exitReason()).toBe("policy_stop");
  });

  it("asks the exitReason option with the result", async () => {
    await withRun(root, async () => ({ finishReason: "length" }), {
      exitReason: (result) => (result.finishReason === "length" ? "max_steps" : undefined),
    });
    expect(exitReason()).toBe("max_steps");
  });

  it("asks the exitReasonOfError option with what was thrown", async () => {
    const capped = new RangeError("too many turns");
    const exitReasonOfError = (error: unknown) => (error === capped ? "max_steps" : undefined);
    await expect(withRun(root, () => Promise.reject(capped), { exitReasonOfError })).rejects.toBe(capped);
    expect(exitReason()).toBe("max_steps");
  });

  it("takes error when the exitReasonOfError option has no answer", () => {
    const fails = () =>
      withRun(
        root,
        () => {
          throw new Error("no");
        },
        { exitReasonOfError: () => undefined },
      );
    expect(fails).toThrow("no");
    expect(exitReason()).toBe("error");
  });

  it("takes policy_stop for a call that the mediation step denied", () => {
    const denied = new MediationError("intent");
    expect(() =>
      withRun(root, () => {
        throw denied;
      }),
    ).toThrow(denied);
    expect(exitReason()).toBe("policy_stop");
  });

  it("takes final_answer when the exitReason option has no answer", () => {
    withRun(root, () => 1, { exitReason: () => undefined });
    expect(exitReason()).toBe("final_answer");
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("secret");
      },
    ],
    ["answers nonsense", () => "done" as "error"],
  ])("marks no end, rather than a wrong one, when the exitReason option %s", (_how, exitReasonOf) => {
    expect(withRun(root, () => 1, { exitReason: exitReasonOf })).toBe(1);
    expect(exitReason()).toBeUndefined();
    expect(ownMessages(heard)).toEqual([expect.stringContaining("trustabl.exit_reason was left out")]);
    expect(heard.join()).not.toContain("secret");
  });

  it("refuses wrong policies before the function is called, and only when the span records", () => {
    let called = 0;
    const run = () => {
      called += 1;
    };
    const options = { policies: [{ ...binding, sha256: "invented" }] };
    expect(() => withRun(root, run, options)).toThrow(RangeError);
    expect(called).toBe(0);
    withRun(undefined, run, options);
    expect(called).toBe(1);
  });

  it("runs as usual without a span", async () => {
    expect(await withRun(undefined, async (run) => currentRun() === run)).toBe(true);
  });

  it("says that a stream outlives it", () => {
    withRun(root, async function* () {
      yield 1;
    });
    expect(ownMessages(heard)).toEqual([expect.stringContaining("use startRun()")]);
  });

  it("says so of a result that holds streams, at once or awaited, without touching them", async () => {
    // As the AI SDK's result of streamText(): reading a stream starts to consume it.
    class StreamResult {
      get textStream(): never {
        throw new Error("read");
      }
      get fullStream(): never {
        throw new Error("read");
      }
    }
    const runs: (() => unknown)[] = [() => new StreamResult(), async () => new StreamResult()];
    for (const run of runs) {
      heard = hearDiagnostics();
      await withRun(root, run);
      expect(ownMessages(heard)).toEqual([expect.stringContaining("use startRun()")]);
    }
    heard = hearDiagnostics();
    await withRun(root, async () => ({ text: "done", steps: [] }));
    expect(ownMessages(heard)).toEqual([]);
  });

  it("waits for a thenable that is no promise", async () => {
    // biome-ignore lint/suspicious/noThenProperty: a query builder is the case
    const query = { then: (done: (rows: number[]) => unknown) => Promise.resolve(done([1])) };
    expect(await withRun(root, () => query)).toEqual([1]);
    expect(exitReason()).toBe("final_answer");
  });
});

describe("startRun", () => {
  it("gives a run that is ended by hand, once", () => {
    const handle = startRun(root);
    expect(handle.with(() => currentRun())).toBe(handle.run);
    handle.end("max_steps");
    handle.end("error");
    expect(exitReason()).toBe("max_steps");
  });

  it("ends with what run.stop() said when no reason is given, else with final_answer", () => {
    const stopped = startRun(root);
    stopped.run.stop("max_steps");
    stopped.end();
    expect(exitReason()).toBe("max_steps");
  });

  it("refuses a wrong reason, and can still be ended", () => {
    const handle = startRun(root);
    expect(() => handle.end("done" as "error")).toThrow(RangeError);
    handle.end();
    expect(exitReason()).toBe("final_answer");
  });

  it("says that an end after the root span's is lost", () => {
    const handle = startRun(root);
    const span = finished();
    handle.end("final_answer");
    expect(span?.attributes).not.toHaveProperty("trustabl.exit_reason");
    expect(ownMessages(heard)).toEqual([expect.stringContaining("the root span ended before the run did")]);
  });

  it("says that no context manager is registered", () => {
    context.disable();
    try {
      startRun(root).with(() => {});
      expect(ownMessages(heard)).toEqual([expect.stringContaining("no OpenTelemetry context manager")]);
    } finally {
      useContextManager();
    }
  });
});
