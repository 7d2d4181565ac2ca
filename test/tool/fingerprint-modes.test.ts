import { context } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import { FingerprintKey, prepareVolatileKeys, strictFp } from "../../src/fingerprint/index.ts";
import {
  canonicalFp,
  markToolSpan,
  Run,
  startRun,
  type ToolDefinition,
  withRun,
  wrapTool,
} from "../../src/index.ts";
import { contextWithSharedCall, newSharedCall } from "../../src/tool/shared-call.ts";
import { beginToolCall } from "../../src/tool/tool-call.ts";
import { prepareTool } from "../../src/tool/tool-definition.ts";
import { sdk2 } from "../support/sdks-here.ts";
import { inSpan, labelsOf, toolSpanAttributes, useTracing } from "../support/tracing.ts";

const tracing = useTracing(sdk2);

const bytes = (fill: string) => Buffer.alloc(32, fill);
const keyed = (value: unknown, fill: string) =>
  strictFp(value, prepareVolatileKeys(), new FingerprintKey(bytes(fill)));

type Fingerprint = ToolDefinition["fingerprint"];
const searchWith = (fingerprint?: Fingerprint) =>
  wrapTool({ name: "search", fingerprint }, (args: { q: string }, _call?: object) => [args.q]);

/** Calls in tool spans, in a run with this option; what was labelled. */
async function labelled(
  option: "run" | { key: Uint8Array } | undefined,
  ...calls: readonly (() => unknown)[]
): Promise<Record<string, unknown>[]> {
  const before = tracing.finished().length;
  await inSpan(tracing.tracer, "invoke_agent helper", {}, (root) =>
    withRun(root, () => inToolSpans(...calls), { fingerprint: option }),
  );
  return labelsSince(before);
}
async function inToolSpans(...calls: readonly (() => unknown)[]): Promise<void> {
  for (const call of calls) {
    await inSpan(tracing.tracer, "execute_tool search", toolSpanAttributes("search"), call);
  }
}
const labelsSince = (before: number) =>
  tracing
    .finished()
    .slice(before)
    .filter(({ name }) => name.startsWith("execute_tool"))
    .map(labelsOf);
const only = (labels: Record<string, unknown>) => [
  labels["trustabl.tool.input_fp"],
  labels["trustabl.tool.output_fp"],
  labels["trustabl.tool.attempt"],
];
const FINGERPRINT = expect.stringMatching(/^[0-9a-f]{16}$/);

describe('a run with fingerprint: "run"', () => {
  const search = searchWith();
  const calls = [() => search({ q: "a" }), () => search({ q: "a" }), () => search({ q: "b" })];

  it("gives equal arguments equal fingerprints, and counts them", async () => {
    const [first, again, other] = (await labelled("run", ...calls)).map(only);
    expect(first).toEqual([FINGERPRINT, FINGERPRINT, 1]);
    expect(again).toEqual([first?.[0], first?.[1], 2]);
    expect(other?.[0]).not.toBe(first?.[0]);
    expect(other?.[2]).toBe(1);
  });

  it("gives the same arguments other fingerprints in another run, and none that can be computed", async () => {
    const [one] = (await labelled("run", ...calls)).map(only);
    const [two] = (await labelled("run", ...calls)).map(only);
    const all = [one?.[0], one?.[1], two?.[0], two?.[1], canonicalFp({ q: "a" }), canonicalFp(["a"])];
    expect(new Set(all).size).toBe(6);
  });

  it("keys the labels that are written by hand inside it", async () => {
    const [wrapped, byHand] = await labelled("run", calls[0] as () => unknown, () =>
      inSpan(tracing.tracer, "execute_tool x", toolSpanAttributes("search"), (span) =>
        markToolSpan(span, { args: { q: "a" }, result: ["a"] }),
      ),
    );
    expect(byHand).toEqual({
      "trustabl.tool.input_fp": wrapped?.["trustabl.tool.input_fp"],
      "trustabl.tool.output_fp": wrapped?.["trustabl.tool.output_fp"],
    });
  });

  it("hands its key to a run inside it that says nothing of its own", async () => {
    const call = () => search({ q: "a" });
    const nested = () =>
      inSpan(tracing.tracer, "invoke_agent nested", {}, (root) => withRun(root, () => inToolSpans(call)));
    const [inner, , outer] = await labelled("run", nested, call);
    expect(inner?.["trustabl.tool.input_fp"]).toBe(outer?.["trustabl.tool.input_fp"]);
    expect(inner?.["trustabl.run_id"]).not.toBe(outer?.["trustabl.run_id"]);
  });

  it("keys what a call gives long after, as a stream", async () => {
    const stream = wrapTool({ name: "search" }, async function* (args: { q: string }) {
      yield* [args.q, "last"];
    });
    const [labels] = await labelled("run", async () => {
      for await (const _ of stream({ q: "a" }));
    });
    expect(labels?.["trustabl.tool.output_fp"]).toEqual(FINGERPRINT);
    expect(labels?.["trustabl.tool.output_fp"]).not.toBe(canonicalFp("last"));
  });
});

describe("a run with a deployment's key", () => {
  it("gives the same fingerprints in every run that has it", async () => {
    const search = searchWith();
    for (const _ of [1, 2]) {
      const [labels] = await labelled({ key: bytes("r") }, () => search({ q: "a" }));
      expect(only(labels ?? {})).toEqual([keyed({ q: "a" }, "r"), keyed(["a"], "r"), 1]);
    }
  });

  it("can be made by hand, and its way given to markToolSpan", async () => {
    const run = new Run("by hand", { fingerprint: { key: bytes("r") } });
    await inSpan(tracing.tracer, "execute_tool x", {}, (span) =>
      markToolSpan(span, { args: 1, result: undefined, fingerprint: run.fingerprint }),
    );
    await inSpan(tracing.tracer, "execute_tool y", {}, (span) =>
      markToolSpan(span, { args: 1, result: undefined, fingerprint: new Run().fingerprint }),
    );
    expect(labelsSince(0).map(only)).toEqual([
      [keyed(1, "r"), keyed(null, "r"), undefined],
      [canonicalFp(1), canonicalFp(null), undefined],
    ]);
  });

  it("hands it to the tools that were given the run", async () => {
    const run = new Run(undefined, { fingerprint: { key: bytes("r") } });
    const search = wrapTool({ name: "search", run }, (args: { q: string }) => [args.q]);
    await inToolSpans(() => search({ q: "a" }));
    expect(labelsSince(0).map(only)).toEqual([[keyed({ q: "a" }, "r"), keyed(["a"], "r"), 1]]);
  });
});

describe("a tool with a key of its own", () => {
  const search = searchWith({ key: bytes("t") });
  const own = [keyed({ q: "a" }, "t"), keyed(["a"], "t")];

  it.each([["run" as const], [{ key: bytes("r") }], [undefined]])(
    "uses it in a run with %j",
    async (option) => {
      const call = () => search({ q: "a" });
      expect((await labelled(option, call, call)).map(only)).toEqual([
        [...own, 1],
        [...own, 2],
      ]);
    },
  );

  it("uses it outside a run, where there is no other", async () => {
    await inToolSpans(() => search({ q: "a" }));
    expect(labelsSince(0).map(only)).toEqual([[...own, undefined]]);
  });
});

describe("fingerprints that are off", () => {
  it.each<[Fingerprint, boolean, boolean]>([
    ["off", false, false],
    [{ args: "off" }, false, true],
    [{ result: "off" }, true, false],
    [{ args: "off", result: "off", key: bytes("t") }, false, false],
  ])("are not written: %j", async (fingerprint, input, output) => {
    const search = searchWith(fingerprint);
    const calls = ["a", "b", "a", "a"].map((q) => () => search({ q }));
    for (const option of [undefined, "run"] as const) {
      for (const [index, labels] of (await labelled(option, ...calls)).entries()) {
        expect(Object.hasOwn(labels, "trustabl.tool.input_fp")).toBe(input);
        expect(Object.hasOwn(labels, "trustabl.tool.output_fp")).toBe(output);
        // Counted per arguments all the same.
        expect(labels["trustabl.tool.attempt"]).toBe([1, 1, 2, 3][index]);
        expect(labels["trustabl.step_index"]).toBe(index);
      }
    }
  });

  it("are not written by hand either, and the rest is", async () => {
    await inSpan(tracing.tracer, "execute_tool x", {}, (span) => {
      markToolSpan(span, { args: 1, result: 2, attempt: 3, fingerprint: "off" });
    });
    await inSpan(tracing.tracer, "execute_tool y", {}, (span) => {
      markToolSpan(span, { args: 1, result: 2, fingerprint: { args: "off" } });
    });
    expect(labelsSince(0)).toEqual([
      { "trustabl.tool.attempt": 3 },
      { "trustabl.tool.output_fp": canonicalFp(2) },
    ]);
  });

  it.each<[string, Fingerprint, Fingerprint, boolean]>([
    ["the hook", "off", undefined, true],
    ["the wrapper and the hook", "off", "off", false],
    ["nobody, and keys differ", { key: bytes("h") }, { key: bytes("w") }, true],
  ])(
    "count a call once that a hook began and a wrapper sees inside, off for %s",
    async (_, hook, inner, shown) => {
      const prepared = prepareTool({ name: "search", fingerprint: hook });
      const search = searchWith(inner);
      const run = startRun(undefined);
      const call = (q: string) =>
        inToolSpans(() =>
          context.with(contextWithSharedCall(context.active(), newSharedCall()), () => {
            beginToolCall(prepared, [{ q }]);
            return search({ q });
          }),
        );
      await run.with(async () => {
        for (const q of ["a", "a", "b", "a"]) await call(q);
      });
      const found = labelsSince(0);
      expect(found.map((labels) => labels["trustabl.tool.attempt"])).toEqual([1, 2, 1, 3]);
      expect(found.map((labels) => Object.hasOwn(labels, "trustabl.tool.input_fp"))).toEqual(
        found.map(() => shown),
      );
    },
  );
});

describe("a wrong option", () => {
  it("throws when it is given: of a tool, of a run, with tracing off too", () => {
    expect(() => searchWith({ arguments: "off" } as never)).toThrow(RangeError);
    expect(() => searchWith({ key: "k".repeat(32) } as never)).toThrow(TypeError);
    expect(() => new Run(null, { fingerprint: { key: new Uint8Array(8) } })).toThrow(RangeError);
    let called = false;
    const start = () => withRun(undefined, () => (called = true), { fingerprint: "off" as never });
    expect(start).toThrow(RangeError);
    expect(called).toBe(false);
  });

  it("throws from markToolSpan only where the span records, and before anything is written", async () => {
    const options = { args: 1, result: 2, fingerprint: { key: new Uint8Array(8) } };
    expect(() => markToolSpan(undefined, options)).not.toThrow();
    await inSpan(tracing.tracer, "execute_tool x", {}, (span) => {
      expect(() => markToolSpan(span, options)).toThrow(RangeError);
    });
    expect(labelsSince(0)).toEqual([{}]);
  });
});
