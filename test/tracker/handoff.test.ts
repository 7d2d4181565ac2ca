import { context, ROOT_CONTEXT } from "@opentelemetry/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ToolSpanTracker, withHandoff } from "../../src/tracker/index.ts";
import { hearDiagnostics, ownMessages } from "../support/diagnostics.ts";
import { sdk2 } from "../support/sdks-here.ts";
import {
  inSpan,
  labelsOf,
  type TestTracing,
  toolSpanAttributes,
  useContextManager,
} from "../support/tracing.ts";

useContextManager();

const agent = { "gen_ai.operation.name": "invoke_agent" };
let tracker: ToolSpanTracker;
let tracing: TestTracing;
beforeEach(() => {
  tracker = new ToolSpanTracker();
  tracing = sdk2.open({ processors: [tracker] });
});
afterEach(() => tracing.close());

const inTool = (inside: () => unknown) =>
  inSpan(tracing.tracer, "execute_tool research", toolSpanAttributes("research"), inside);
const handoffs = () =>
  Object.fromEntries(tracing.finished().map((span) => [span.name, labelsOf(span)["trustabl.handoff_id"]]));

describe("withHandoff", () => {
  it("marks the first agent's span that starts in it, and no other", async () => {
    const answer = await inTool(() =>
      withHandoff(async () => {
        await inSpan(tracing.tracer, "chat", { "gen_ai.operation.name": "chat" }, () => undefined);
        await inSpan(tracing.tracer, "child", agent, () =>
          inSpan(tracing.tracer, "grandchild", agent, () => undefined),
        );
        await inSpan(tracing.tracer, "second", agent, () => undefined);
        return "done";
      }, "handoff-1"),
    );
    expect(answer).toBe("done");
    expect(handoffs()).toEqual({
      chat: undefined,
      child: "handoff-1",
      grandchild: undefined,
      second: undefined,
      "execute_tool research": undefined,
    });
  });

  it("gives each delegation an id of its own, also when they run at the same time or one in the other", async () => {
    await Promise.all(
      ["a", "b"].map((name) =>
        withHandoff(() =>
          inSpan(tracing.tracer, name, agent, () =>
            withHandoff(() => inSpan(tracing.tracer, `${name} inner`, agent, () => undefined)),
          ),
        ),
      ),
    );
    const ids = Object.values(handoffs());
    expect(ids).toHaveLength(4);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
    expect(new Set(ids).size).toBe(4);
  });

  it("marks nothing outside it", async () => {
    await withHandoff(() =>
      context.with(ROOT_CONTEXT, () => inSpan(tracing.tracer, "elsewhere", agent, () => undefined)),
    );
    await inSpan(tracing.tracer, "later", agent, () => undefined);
    expect(handoffs()).toEqual({ elsewhere: undefined, later: undefined });
  });

  it("gives back a value at once, and throws what the function throws", () => {
    expect(withHandoff(() => 1)).toBe(1);
    expect(() =>
      withHandoff(() => {
        throw new Error("inner");
      }),
    ).toThrow("inner");
  });

  it("says that an id was no id, and does not disturb the agent", async () => {
    const messages = hearDiagnostics();
    await withHandoff(() => inSpan(tracing.tracer, "child", agent, () => undefined), "");
    expect(handoffs()).toEqual({ child: undefined });
    expect(ownMessages(messages)).toEqual([expect.stringContaining("trustabl.handoff_id was left out")]);
  });

  it("says that there is no tracker, but only where a span records", async () => {
    await tracker.shutdown();
    const messages = hearDiagnostics();
    expect(withHandoff(() => "off")).toBe("off");
    expect(ownMessages(messages)).toEqual([]);
    await inTool(() => withHandoff(() => undefined));
    expect(ownMessages(messages)).toEqual([expect.stringContaining("without a span tracker")]);
  });
});

describe("an agent's span that starts directly below a tool's", () => {
  it("is a delegated agent's without a word from the tool, each with an id of its own", async () => {
    await inTool(async () => {
      await inSpan(tracing.tracer, "first", agent, () =>
        inSpan(tracing.tracer, "below the agent", agent, () => undefined),
      );
      await inSpan(tracing.tracer, "second", agent, () => undefined);
    });
    await inSpan(tracing.tracer, "POST /chat", {}, () =>
      inSpan(tracing.tracer, "outermost", agent, () => undefined),
    );
    const { first, second, ...others } = handoffs();
    expect([first, second]).toEqual(
      ["first", "second"].map(
        (name) =>
          tracing
            .finished()
            .find((span) => span.name === name)
            ?.spanContext().spanId,
      ),
    );
    expect(Object.values(others)).toEqual(Object.keys(others).map(() => undefined));
  });

  it("is marked below a tool of the agent that withHandoff called, too", async () => {
    await inTool(() =>
      withHandoff(
        () =>
          inSpan(tracing.tracer, "child", agent, () =>
            inTool(() => inSpan(tracing.tracer, "grandchild", agent, () => undefined)),
          ),
        "handoff-1",
      ),
    );
    expect(handoffs()).toMatchObject({
      child: "handoff-1",
      grandchild: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });
});
