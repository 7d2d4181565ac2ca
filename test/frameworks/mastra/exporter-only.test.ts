import { Observability } from "@mastra/observability";
import { OtelExporter } from "@mastra/otel-exporter";
import { InMemorySpanExporter } from "@opentelemetry/sdk-trace-node";
import { describe, expect, it } from "vitest";
import { labelDelegation, labelTools } from "../../../src/adapters/mastra.ts";
import { ToolSpanTracker } from "../../../src/tracker/index.ts";
import { hearDiagnostics, ownMessages } from "../../support/diagnostics.ts";
import { useContextManager } from "../../support/tracing.ts";
import { Application, isToolSpan, labelsOf, rootsOf } from "../application.ts";
import { scenario } from "../scenario.ts";
import { type Any, agentIn, agentOf, search, toolOf } from "./agent.ts";
import { call } from "./scripted-model.ts";

useContextManager();

const ROW = "Mastra 1.71 with an OpenTelemetry exporter and no bridge";

describe("Mastra with an exporter and no bridge", () => {
  it(
    "has no live span: nothing is written anywhere, and it is told once what is missing",
    scenario(ROW, ["application-span", "telemetry-off"]),
    async () => {
      const exporter = new InMemorySpanExporter();
      const exporting = new OtelExporter({
        exporter,
        provider: { custom: { endpoint: "http://127.0.0.1:9", protocol: "http/json" } },
        signals: { logs: false },
      } as Any);
      const observability = new Observability({
        configs: { default: { serviceName: "test", exporters: [exporting] } },
      });
      const application = new Application([new ToolSpanTracker()]);
      const messages = hearDiagnostics();
      const fails = toolOf("fails", async () => {
        throw new Error("no");
      });
      const tools = labelTools({ search, fails });
      const agent = agentIn(observability, {
        script: [
          [call("call_1", "search"), call("call_2", "search"), call("call_3", "fails")],
          [call("call_4", "agent-researcher", { prompt: "what?" })],
        ],
        tools,
        agents: { researcher: agentOf("researcher", { script: [[call("call_1", "search")]], tools }) },
      });
      const { text } = (await application.request(() =>
        agent.generate("go", { delegation: labelDelegation() }),
      )) as Any;
      expect(text).toBe("done");

      const spans = await application.spans();
      expect(spans.filter(isToolSpan)).toEqual([]);
      expect(spans.filter((span) => Object.keys(labelsOf(span)).length > 0)).toEqual(rootsOf(spans));
      expect(await application.labelsByCall()).toEqual({});
      expect(ownMessages(messages)).toEqual([expect.stringContaining("OtelBridge")]);

      // Mastra did export the calls, afterwards.
      await exporting.flush();
      const exported = exporter.getFinishedSpans();
      expect(exported.filter(({ name }) => name.startsWith("execute_tool"))).toHaveLength(5);
      expect(JSON.stringify(exported.map(({ attributes }) => attributes))).not.toContain("trustabl");
    },
  );
});
