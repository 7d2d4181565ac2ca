import { observe } from "@langfuse/tracing";
import { trace } from "@opentelemetry/api";
import { withRun, wrapTool } from "agent-reliability-otel-labels";

const searchFlights = observe(
  wrapTool({ name: "search_flights", sideEffect: "read" }, async ({ to }: { to: string }) => [`LHR-${to}`]),
  { name: "search_flights", asType: "tool" },
);

export const answer = observe(
  (cities: readonly string[]) =>
    withRun(trace.getActiveSpan(), async () => {
      for (const to of cities) await searchFlights({ to });
      return "done";
    }),
  { name: "travel", asType: "agent" },
);
