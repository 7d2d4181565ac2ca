import type Anthropic from "@anthropic-ai/sdk";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import type { BetaToolRunContext } from "@anthropic-ai/sdk/lib/tools/BetaRunnableTool";
import { trace } from "@opentelemetry/api";
import { withRun, wrapTool } from "agent-reliability-otel-labels";
import { z } from "zod";

const inputSchema = z.object({ to: z.string() });

const searchFlights = betaZodTool({
  name: "search_flights",
  description: "Searches flights.",
  inputSchema,
  run: wrapTool(
    { name: "search_flights", sideEffect: "read", callId: (_input, context) => context?.toolUse.id },
    async ({ to }: z.infer<typeof inputSchema>, _context?: BetaToolRunContext) => `LHR-${to}`,
  ),
});

export const answer = (client: Anthropic, model: string, content: string) =>
  trace.getTracer("app").startActiveSpan("invoke_agent travel", async (root) => {
    root.setAttribute("gen_ai.operation.name", "invoke_agent");
    const runner = client.beta.messages.toolRunner({
      model,
      max_tokens: 1024,
      max_iterations: 8,
      messages: [{ role: "user", content }],
      tools: [searchFlights],
    });
    try {
      return await withRun(root, () => runner.runUntilDone(), {
        // The runner stops at its cap without a word; its last message still wants a tool.
        exitReason: ({ stop_reason }) => (stop_reason === "tool_use" ? "max_steps" : undefined),
      });
    } finally {
      root.end();
    }
  });
