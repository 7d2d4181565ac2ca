/** A small agent on bare OpenTelemetry: the spans of the GenAI conventions, and tools that are wrapped. */
import { type Span, type Tracer, trace } from "@opentelemetry/api";
import { withRun, wrapTool } from "../../../src/index.ts";

export type Tool = (args: never) => unknown;

export const searchFlights: (args: { to: string }) => Promise<string[]> = wrapTool(
  { name: "search_flights", sideEffect: "read" },
  async (args: { to: string }) => [`XY 12 to ${args.to}`],
);

/** Calls a tool on a span of its own, as frameworks do. */
export function callTool(tracer: Tracer, name: string, call: () => unknown): Promise<unknown> {
  const attributes = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name };
  return tracer.startActiveSpan(`execute_tool ${name}`, { attributes }, async (span) => {
    try {
      return await call();
    } finally {
      span.end();
    }
  });
}

/** Runs `steps` inside a run on an agent's span. */
export function runAgent<Result>(
  steps: (tracer: Tracer, root: Span) => Promise<Result>,
  tracer: Tracer = trace.getTracer("test-agent"),
): Promise<Result> {
  const attributes = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "helper" };
  return tracer.startActiveSpan("invoke_agent helper", { attributes }, async (root) => {
    try {
      return await withRun(root, () => steps(tracer, root));
    } finally {
      root.end();
    }
  });
}

/** One run with one call of `search_flights`. */
export function searchOnce(tracer?: Tracer, to = "JFK"): Promise<unknown> {
  return runAgent(
    (used) => callTool(used, "search_flights", () => searchFlights({ to })),
    tracer ?? trace.getTracer("test-agent"),
  );
}
