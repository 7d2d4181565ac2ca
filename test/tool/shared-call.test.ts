import { context } from "@opentelemetry/api";
import { afterAll, describe, expect, it } from "vitest";
import { canonicalFp, startRun, wrapTool } from "../../src/index.ts";
import { contextWithSharedCall, newSharedCall } from "../../src/tool/shared-call.ts";
import { beginToolCall } from "../../src/tool/tool-call.ts";
import { prepareTool } from "../../src/tool/tool-definition.ts";
import { sdk2 } from "../support/sdks-here.ts";
import { inSpan, labelsOf, toolSpanAttributes, useContextManager } from "../support/tracing.ts";

useContextManager();
const tracing = sdk2.open();
afterAll(() => tracing.close());

const hook = prepareTool({ name: "search", sideEffect: "read" });

/** A hook begins the call in its span, and `inside` is what the framework then runs. */
async function hooked(input: unknown, inside: () => unknown, callId = "call_1") {
  const shared = newSharedCall();
  await inSpan(tracing.tracer, "execute_tool search", toolSpanAttributes("search", callId), () =>
    context.with(contextWithSharedCall(context.active(), shared), () => {
      beginToolCall(hook, [input, { toolCallId: callId }]);
      return inside();
    }),
  );
  return { shared, labels: labelsOf(tracing.finished().at(-1)) };
}

describe("a call that a hook began and a wrapper sees inside", () => {
  const search = wrapTool({ name: "search", sideEffect: "write" }, (input: { q: string }, _call: object) => [
    input.q,
  ]);

  it("is counted once, and labelled by the wrapper's definition", async () => {
    const run = startRun(undefined);
    const call = (q: string) => run.with(() => hooked({ q }, () => search({ q }, { toolCallId: "call_1" })));
    const first = await call("a");
    const again = await call("a");
    const other = await call("b");
    expect(first.shared.takenOver).toBe(true);
    expect(
      [first, again, other].map(({ labels }) => [
        labels["trustabl.step_index"],
        labels["trustabl.tool.attempt"],
      ]),
    ).toEqual([
      [0, 1],
      [1, 2],
      [2, 1],
    ]);
    expect(first.labels).toMatchObject({
      "trustabl.tool.side_effect": "write",
      "trustabl.tool.output_fp": canonicalFp(["a"]),
    });
  });

  it("has the attempt of the arguments that the wrapper sees, where the hook sees others", async () => {
    const run = startRun(undefined);
    const call = (hidden: number) =>
      run.with(() => hooked({ hidden }, () => search({ q: "a" }, { toolCallId: "call_1" })));
    await call(1);
    const { labels } = await call(2);
    expect(labels).toMatchObject({
      "trustabl.tool.attempt": 2,
      "trustabl.step_index": 1,
      "trustabl.tool.input_fp": canonicalFp({ q: "a" }),
    });
  });

  it("is taken over once: a second call of the wrapper in the same span is a call of its own", async () => {
    const { labels } = await startRun(undefined).with(() =>
      hooked({ q: "a" }, () => {
        search({ q: "a" }, { toolCallId: "call_1" });
        return search({ q: "a" }, { toolCallId: "call_1" });
      }),
    );
    expect(labels).toMatchObject({ "trustabl.step_index": 1, "trustabl.tool.attempt": 2 });
  });

  it("is not taken over by another call inside it, even one with the same id", async () => {
    const { shared, labels } = await startRun(undefined).with(() =>
      hooked({ q: "a" }, () =>
        inSpan(tracing.tracer, "execute_tool search", toolSpanAttributes("search", "call_1"), () =>
          search({ q: "inner" }, { toolCallId: "call_1" }),
        ),
      ),
    );
    expect(shared.takenOver).toBe(false);
    expect(labels).toMatchObject({ "trustabl.step_index": 0, "trustabl.tool.side_effect": "read" });
    expect(labelsOf(tracing.finished().at(-2))).toMatchObject({ "trustabl.step_index": 1 });
  });

  /** A hook that alone knows the span, as of frameworks that never make a tool's span the active one. */
  async function hookedAside(inside: () => unknown, callId: string | undefined) {
    const aside = prepareTool({ name: "search", span: () => span, callId: () => callId });
    const span = tracing.tracer.startSpan("execute_tool search");
    const shared = newSharedCall();
    await startRun(undefined).with(() =>
      context.with(contextWithSharedCall(context.active(), shared), () => {
        beginToolCall(aside, [{ q: "a" }]);
        return inside();
      }),
    );
    span.end();
    return { shared, labels: labelsOf(tracing.finished().at(-1)) };
  }

  it.each(["call_1", undefined])(
    "finds the span where only the hook knows it, by name and id: %s",
    async (id) => {
      const { shared, labels } = await hookedAside(() => search({ q: "a" }, { toolCallId: id }), id);
      expect(shared.takenOver).toBe(true);
      expect(labels).toMatchObject({
        "trustabl.tool.side_effect": "write",
        "trustabl.step_index": 0,
        "trustabl.tool.output_fp": canonicalFp(["a"]),
      });
    },
  );

  it("does not find it for another tool, for another call, or a second time", async () => {
    const other = wrapTool({ name: "other", sideEffect: "write" }, (_input: object, _call: object) => "");
    const inside = [
      () => other({}, { toolCallId: "call_1" }),
      () => search({ q: "a" }, { toolCallId: "call_2" }),
      () => search({ q: "a" }, {}),
    ];
    for (const call of inside) {
      const { shared, labels } = await hookedAside(call, "call_1");
      expect(shared.takenOver).toBe(false);
      expect(labels).not.toHaveProperty(["trustabl.tool.side_effect"]);
    }
    const { labels } = await hookedAside(() => {
      search({ q: "a" }, { toolCallId: "call_1" });
      return search({ q: "b" }, { toolCallId: "call_1" });
    }, "call_1");
    expect(labels).toMatchObject({ "trustabl.tool.input_fp": canonicalFp({ q: "a" }) });
  });

  it("is taken over by name where the hook knows no id", async () => {
    const nameless = prepareTool({ name: "search", callId: () => undefined });
    const call = (inside: () => unknown) => {
      const shared = newSharedCall();
      return startRun(undefined)
        .with(() =>
          inSpan(
            tracing.tracer,
            "execute_tool search",
            { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "search" },
            () =>
              context.with(contextWithSharedCall(context.active(), shared), () => {
                beginToolCall(nameless, [{ q: "a" }]);
                return inside();
              }),
          ),
        )
        .then(() => shared.takenOver);
    };
    expect(await call(() => search({ q: "a" }, { toolCallId: "server_1" }))).toBe(true);
    const other = wrapTool({ name: "other", trustActiveSpan: true }, (_input: object, _call: object) => "");
    expect(await call(() => other({}, { toolCallId: "server_1" }))).toBe(false);
  });
});
