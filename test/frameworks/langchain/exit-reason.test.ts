import { expect, it } from "vitest";
import { exitReasonOfError } from "../../../src/adapters/langchain.ts";
import { withRun } from "../../../src/index.ts";
import { createAgent, question, scripted, search, searchTool } from "./agents.ts";
import { provider } from "./tracing.ts";

it("a run that LangGraph's recursion limit stops ends with max_steps", async () => {
  const turns = Array.from({ length: 9 }, (_, index) => [search(`c${index}`)]);
  const agent = createAgent({ model: scripted(...turns), tools: [searchTool] });
  const root = provider.getTracer("application").startSpan("invoke_agent helper");
  const run = withRun(root, () => agent.invoke(question, { recursionLimit: 4 }), { exitReasonOfError });
  await expect(run).rejects.toThrow();
  expect((root as unknown as { attributes: object }).attributes).toMatchObject({
    "trustabl.exit_reason": "max_steps",
  });
  root.end();
});
