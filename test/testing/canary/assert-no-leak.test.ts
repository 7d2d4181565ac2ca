import { diag, type Span, trace } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import { canonicalFp, TrustablError, wrapTool } from "../../../src/index.ts";
import { assertNoLeak, type Canary, plantCanary, recordTraces } from "../../../src/testing/index.ts";
import { callTool, runAgent } from "../support/agent.ts";

const bookFlight = (canary: Canary, outcome: "result" | "error") =>
  wrapTool({ name: "book_flight", sideEffect: "write" }, async (_args: { passenger: string }) => {
    if (outcome === "error") throw new Error(canary.error);
    return { note: canary.result };
  });

/** One run with one call; `onSpan` may write on its spans what it should not. */
async function runWith(canary: Canary, onSpan: (tool: Span, root: Span) => void = () => {}): Promise<void> {
  await runAgent(async (tracer, root) => {
    for (const outcome of ["result", "error"] as const) {
      await callTool(tracer, "book_flight", async () => {
        onSpan(trace.getActiveSpan() as Span, root);
        return bookFlight(canary, outcome)({ passenger: canary.argument });
      }).catch(() => {});
    }
  });
}

/** What the search says; the code, and the message. */
async function searchFor(canary: Canary, onSpan?: (tool: Span, root: Span) => void): Promise<string> {
  await using traces = recordTraces();
  await runWith(canary, onSpan);
  const error = await traces.assertNoLeak(canary).catch((thrown: unknown) => thrown);
  expect(String(error)).not.toMatch(new RegExp(Object.values(canary).join("|"), "i"));
  return String(error);
}

describe("the search for planted texts", () => {
  it("finds nothing where this package labelled", async () => {
    const canary = plantCanary();
    await using traces = recordTraces();
    await runWith(canary);
    expect(await traces.toolSpans("book_flight")).toHaveLength(2);
    await traces.assertNoLeak(canary);
  });

  it("plants texts that differ each time, and say where they were planted", () => {
    const texts = Array.from({ length: 50 }, () => plantCanary()).flatMap((canary) => Object.values(canary));
    expect(new Set(texts).size).toBe(150);
    expect(plantCanary()).toEqual({
      argument: expect.stringMatching(/^canaryArgument[A-Za-z0-9]{24}$/),
      result: expect.stringMatching(/^canaryResult[A-Za-z0-9]{24}$/),
      error: expect.stringMatching(/^canaryError[A-Za-z0-9]{24}$/),
    });
  });

  it("finds them in labels, in whatever form, and says which and where", async () => {
    const canary = plantCanary();
    expect(
      await searchFor(canary, (tool) => tool.setAttribute("trustabl.handoff_id", canary.argument)),
    ).toMatch(
      /the argument canary, as it is, in trustabl\.handoff_id of the span execute_tool book_flight \(span [0-9a-f]{16}\)/,
    );
    const encoded = Buffer.from(canary.result).toString("base64");
    expect(await searchFor(canary, (_tool, root) => root.setAttribute("trustabl.run_id", encoded))).toContain(
      "the result canary, in base64, in trustabl.run_id of the span invoke_agent helper",
    );
    expect(
      await searchFor(canary, (tool) =>
        tool.setAttribute("trustabl.custom", [1, 2].map(String).concat(canary.error)),
      ),
    ).toContain("the error canary, as it is, in the attribute trustabl.custom of the span");
    expect(await searchFor(canary, (tool) => tool.setAttribute(`trustabl.${canary.argument}`, 1))).toContain(
      "the argument canary, as it is, in the name of an attribute",
    );
  });

  it("finds them in policy events", async () => {
    const canary = plantCanary();
    const binding = { "trustabl.policy.binding.id": canary.argument };
    expect(
      await searchFor(canary, (_tool, root) => root.addEvent("trustabl.policy.binding", binding)),
    ).toContain("the argument canary, as it is, in trustabl.policy.binding.id of an event of the span");
  });

  it("finds them in what this package says on diag, and only on request in what others say", async () => {
    const canary = plantCanary();
    await using traces = recordTraces();
    await runWith(canary, () => diag.warn(`some exporter: ${canary.argument}`));
    await traces.assertNoLeak(canary);
    await expect(traces.assertNoLeak(canary, { everything: true })).rejects.toThrow(/in a diagnostic/);
    diag.error(`agent-reliability-otel-labels: ${canary.argument}`);
    await expect(traces.assertNoLeak(canary)).rejects.toThrow(/in a diagnostic/);
  });

  it("leaves content alone that frameworks capture, and finds it on request", async () => {
    const canary = plantCanary();
    await using traces = recordTraces();
    await runWith(canary, (tool) => {
      tool.setAttribute("gen_ai.tool.call.arguments", JSON.stringify({ passenger: canary.argument }));
      tool.addEvent("log", { body: canary.result });
      tool.setStatus({ code: 2, message: canary.error });
      tool.updateName(canary.error);
    });
    await traces.assertNoLeak(canary);
    const error = await traces.assertNoLeak(canary, { everything: true }).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain(
      "the argument canary, as it is, in the attribute gen_ai.tool.call.arguments",
    );
    expect(String(error)).toContain("the result canary, as it is, in the attribute body of an event");
    expect(String(error)).toContain("the error canary, as it is, in the status");
    expect(String(error)).toContain("the error canary, as it is, in the name of the span");
  });

  it("finds them in errors: in messages, causes and fields", async () => {
    const canary = plantCanary();
    await using traces = recordTraces();
    await runWith(canary);
    const cause = new Error("outer", { cause: new Error(canary.argument) });
    const field = Object.assign(new Error("refused"), { details: { value: canary.result } });
    for (const error of [new Error(canary.error), cause, field, canary.error, [canary.error]]) {
      await expect(traces.assertNoLeak(canary, { errors: [error] })).rejects.toThrow(/in an error/);
    }
    await expect(traces.assertNoLeak(canary, { texts: [`log: ${canary.error}`] })).rejects.toThrow(
      /in a text/,
    );
  });

  it("finds nothing in the errors that this package throws over hostile values", async () => {
    const canary = plantCanary();
    await using traces = recordTraces();
    await runWith(canary);
    const errors: unknown[] = [];
    for (const value of [
      { [canary.argument]: new Map([[canary.argument, 1]]) },
      [`${canary.argument}\ud800`],
    ]) {
      try {
        canonicalFp(value);
      } catch (error) {
        errors.push(error);
      }
    }
    expect(errors.every(TrustablError.isInstance)).toBe(true);
    expect(errors).toHaveLength(2);
    await traces.assertNoLeak(canary, { errors });
  });

  it("is no pass where nothing was labelled", async () => {
    const canary = plantCanary();
    await using traces = recordTraces();
    trace.getTracer("other").startSpan("GET /").end();
    await expect(traces.assertNoLeak(canary)).rejects.toThrow(
      expect.objectContaining({ code: "nothing_checked" }),
    );
    expect(() => assertNoLeak(canary, [])).toThrow(expect.objectContaining({ code: "nothing_checked" }));
  });

  it("shows no name that holds the text", async () => {
    const canary = plantCanary();
    const message = await searchFor(canary, (tool) => {
      tool.updateName(`execute_tool ${canary.argument}`);
      tool.setAttribute("trustabl.handoff_id", canary.argument);
    });
    expect(message).toContain("in trustabl.handoff_id of the span (a planted text) (span ");
  });
});
