import { InMemoryRunner } from "@google/adk";
import { expect, it } from "vitest";
import { exitReasonOf, labelTools } from "../../../src/adapters/google-adk.ts";
import { startRun } from "../../../src/index.ts";
import { agent, search, searchTool } from "./agents.ts";
import { labelsOf, provider, root, takeSpans } from "./tracing.ts";

it("the calls of a run whose events are read outside of it are in that run", async () => {
  const main = agent([[search("c1")], [search("c2")]], { tools: labelTools([searchTool()]) });
  const runner = new InMemoryRunner({ agent: main, appName: "app" });
  await runner.sessionService.createSession({ appName: "app", userId: "user", sessionId: "session" });
  const attributes = { "gen_ai.operation.name": "invoke_agent" };
  const span = provider.getTracer("application").startSpan("invoke_agent helper", { attributes });
  const handle = startRun(span, { runId: "streamed" });
  // ADK's `runAsync` is a generator: nothing of the run happens in `with`.
  const stream = handle.with(() =>
    runner.runAsync({
      userId: "user",
      sessionId: "session",
      newMessage: { role: "user", parts: [{ text: "go" }] },
    }),
  );
  const events = [];
  for await (const event of stream) events.push(event);
  handle.end(exitReasonOf(events));
  span.end();
  const spans = takeSpans();
  const calls = spans.filter(({ attributes }) => "trustabl.tool.input_fp" in attributes);
  expect(calls.map(labelsOf)).toMatchObject([
    { "trustabl.run_id": "streamed", "trustabl.step_index": 0, "trustabl.tool.attempt": 1 },
    { "trustabl.run_id": "streamed", "trustabl.step_index": 1, "trustabl.tool.attempt": 2 },
  ]);
  expect(labelsOf(root(spans))).toEqual({
    "trustabl.run_id": "streamed",
    "trustabl.exit_reason": "final_answer",
  });
});
