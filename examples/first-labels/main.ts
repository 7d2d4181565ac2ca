/** The README's first example, whole: a real AI SDK agent with a scripted model, and the labels on its spans. */
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { printLabels } from "./print-labels.ts";
import { scriptedModel } from "./scripted-model.ts";

new NodeTracerProvider({ spanProcessors: [printLabels] }).register();
const model = scriptedModel();
const refundOrder = async ({ order }: { order: string }) => `refunded ${order}`;
const settings = { prompt: "Refund order 7.", stopWhen: stepCountIs(5) };

// #region readme
import { trace } from "@opentelemetry/api";
import { withRun, wrapTool } from "agent-reliability-otel-labels";
import { generateText, stepCountIs, tool } from "ai";
import { z } from "zod";

const refund = tool({
  inputSchema: z.object({ order: z.string() }),
  execute: wrapTool({ name: "refund", sideEffect: "irreversible" }, refundOrder),
});
await trace.getTracer("shop").startActiveSpan("invoke_agent shop", async (root) => {
  await withRun(root, () =>
    generateText({ model, tools: { refund }, ...settings, experimental_telemetry: { isEnabled: true } }),
  );
  root.end();
});
// #endregion
