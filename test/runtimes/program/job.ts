/**
 * The program that every cell of the matrix runs: an agent's run with tool calls, labelled, verified and looked into, and
 * one use of every other door that promises to run anywhere.
 */
import { type Context, type ContextManager, context, type Span, trace } from "@opentelemetry/api";
import {
  canonicalFp,
  canonicalJson,
  keys,
  markToolSpan,
  withRun,
  wrapTool,
} from "agent-reliability-otel-labels";
import { decide, digestOf } from "agent-reliability-otel-labels/claims";
import { defineTools, validateCall } from "agent-reliability-otel-labels/contracts";
import { TrustablError } from "agent-reliability-otel-labels/errors";
import { findings } from "agent-reliability-otel-labels/findings";
import { ToolSpanTracker } from "agent-reliability-otel-labels/tracker";
import { verify } from "agent-reliability-otel-labels/verify";
import { openSdk } from "./sdk.ts";

interface Query {
  readonly from: string;
  readonly to: string;
}

const contracts = defineTools({
  search_flights: {
    description: "Search flights of one day.",
    input: {
      type: "object",
      additionalProperties: false,
      required: ["from", "to"],
      properties: {
        from: { type: "string", maxLength: 3, pattern: "^[A-Z]+$" },
        to: { type: "string", maxLength: 3 },
      },
    },
    sideEffect: "read",
    claim: "none",
  },
});

const pause = () => new Promise((resolve) => setTimeout(resolve, 1));

const searchFlights = wrapTool({ name: "search_flights", sideEffect: "read" }, async (query: Query) => {
  await pause();
  if (query.to === "NIL") throw new TypeError("no such place");
  return [`${query.from}-${query.to}`];
});

export type JobResult = Readonly<Record<string, unknown>>;

/**
 * @param contextManager what the runtime has to offer
 * @param crossesAwait whether the active context is still there behind an `await`
 */
export async function job(contextManager: ContextManager, crossesAwait: boolean): Promise<JobResult> {
  context.setGlobalContextManager(contextManager);
  const { provider, finished } = openSdk([new ToolSpanTracker()]);
  trace.setGlobalTracerProvider(provider);
  const tracer = trace.getTracer("job");

  const inToolSpan = <Result>(callId: string, call: (span: Span) => Promise<Result>): Promise<Result> =>
    tracer.startActiveSpan(
      "execute_tool search_flights",
      {
        attributes: {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "search_flights",
          "gen_ai.tool.call.id": callId,
        },
      },
      (span) => call(span).finally(() => span.end()),
    );
  const search = (callId: string, query: Query) => inToolSpan(callId, () => searchFlights(query));

  const root = tracer.startSpan("invoke_agent helper", {
    attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "helper" },
  });
  await context.with(trace.setSpan(context.active(), root), () =>
    withRun(
      root,
      async (run) => {
        const inRun: Context = context.active();
        const behindAwait = <Result>(call: () => Result): Result =>
          crossesAwait ? call() : context.with(inRun, call);
        // At the same time: each finds its own span and its own attempt.
        await Promise.all([
          search("call_1", { from: "SFO", to: "JFK" }),
          search("call_2", { from: "SFO", to: "JFK" }),
          search("call_3", { from: "SFO", to: "NIL" }).catch(() => undefined),
        ]);
        await pause();
        await behindAwait(() => search("call_4", { from: "JFK", to: "SFO" }));
        await behindAwait(() =>
          inToolSpan("call_5", async (span) =>
            markToolSpan(span, {
              args: { from: "LHR", to: "JFK" },
              result: [],
              attempt: 1,
              sideEffect: "read",
              stepIndex: run.nextStep(),
              runId: run.runId,
            }),
          ),
        );
      },
      { runId: "run-1" },
    ),
  );
  root.end();

  const spans = finished();
  return {
    fingerprints: {
      call: canonicalFp({ from: "SFO", to: "JFK", date: "2026-10-01", request_id: "r-81" }),
      empty: canonicalFp({}),
      list: canonicalFp([]),
      nothing: canonicalFp(null),
      text: canonicalFp("Zürich 🛫"),
      long: canonicalFp("x".repeat(100_000)),
      json: canonicalJson({ b: -0, a: [1.5e-7, "é"] }),
    },
    refused: codeOf(() => canonicalFp({ a: Number.NaN })),
    spans: spans
      .map(({ name, attributes }) => ({
        name,
        callId: attributes["gen_ai.tool.call.id"],
        labels: Object.fromEntries(Object.entries(attributes).filter(([key]) => key.startsWith("trustabl."))),
      }))
      // Calls at the same time may end in any order.
      .sort((left, right) => (String(left.callId) < String(right.callId) ? -1 : 1)),
    exitReason: spans.at(-1)?.attributes[keys.EXIT_REASON],
    verdict: verify(spans).verdict,
    findings: findings(spans).findings.map(({ rule }) => rule),
    contract: [
      validateCall(contracts, { name: "search_flights", arguments: { from: "SFO", to: "JFK" } }).ok,
      validateCall(contracts, { name: "search_flights", arguments: { from: "sfo", to: "JFK" } }).ok,
    ],
    claim: decide({
      claim: undefined,
      call: { tool: "search_flights", arguments: {} },
      contract: { name: "search_flights", risk: "medium", claim: "required" },
      facts: {},
      vocabulary: { intentClasses: ["read"] },
    }).outcome,
    digest: digestOf({ task: "book" }),
  };
}

function codeOf(fails: () => unknown): string {
  try {
    fails();
    return "no error";
  } catch (error) {
    return TrustablError.isInstance(error) ? error.code : "another error";
  }
}
