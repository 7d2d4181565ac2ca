import { context, trace } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { describe, expect, it } from "vitest";
import { type AdkToolDefinition, labelTools } from "../../../src/adapters/google-adk.ts";
import { canonicalFp, withRun } from "../../../src/index.ts";
import { hearDiagnostics, ownMessages } from "../../support/diagnostics.ts";
import { labelsOf, useContextManager } from "../../support/tracing.ts";

useContextManager();
const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const tracer = provider.getTracer("gcp.vertex.agent");

const TOOL: unique symbol = Symbol.for("google.adk.baseTool");
const FUNCTION_TOOL: unique symbol = Symbol.for("google.adk.functionTool");

/** What ADK's classes are, without ADK. */
class Tool {
  readonly [TOOL] = true;
  readonly name: string = "search";

  async runAsync(_request: object | null): Promise<unknown> {
    return "found";
  }

  async processLlmRequest({ llmRequest }: { llmRequest: { toolsDict?: Record<string, unknown> } }) {
    if (llmRequest.toolsDict !== undefined) llmRequest.toolsDict[this.name] = this;
  }
}

/** Runs a tool as ADK does, and gives the labels of its span. */
async function labelsAfter(tool: Tool, request: object | null = { args: {}, toolContext: {} }) {
  exporter.reset();
  const span = tracer.startSpan(`execute_tool ${tool.name}`);
  const run = () => context.with(trace.setSpan(context.active(), span), () => tool.runAsync(request));
  await withRun(tracer.startSpan("root"), run);
  span.end();
  return labelsOf(exporter.getFinishedSpans()[0]);
}

describe("labelTools for Google ADK", () => {
  it("does not need ADK", async () => {
    const [tool] = labelTools([new Tool()]);
    expect(await labelsAfter(tool)).toMatchObject({ "trustabl.tool.output_fp": canonicalFp("found") });
  });

  it("gives back what is no tool with a function as it is: agents, nodes, anything", () => {
    const others = [
      { name: "agent", runAsync: () => undefined },
      undefined,
      null,
      "x",
      1,
      Object.create(null),
    ];
    expect(labelTools(others)).toEqual(others);
    expect(labelTools(others).every((other, index) => other === others[index])).toBe(true);
  });

  it("puts the labelled tool where the given one registered itself, and nothing else", async () => {
    const tool = new Tool();
    const [labelled] = labelTools([tool]);
    const toolsDict: Record<string, unknown> = { other: 1 };
    await labelled.processLlmRequest({ llmRequest: { toolsDict } });
    expect(toolsDict).toEqual({ other: 1, search: labelled });
    expect(toolsDict.search).toBe(labelled);
  });

  it("says so where ADK keeps its tools elsewhere", async () => {
    const messages = hearDiagnostics();
    const [labelled] = labelTools([new Tool()]);
    await labelled.processLlmRequest({ llmRequest: {} });
    await labelled.processLlmRequest({ llmRequest: {} });
    expect(ownMessages(messages)).toEqual([expect.stringContaining('the tool "search" is not labelled')]);
  });

  it("labels a function tool of another make by what its run gives, and says what that costs", async () => {
    const messages = hearDiagnostics();
    class FunctionTool extends Tool {
      readonly [FUNCTION_TOOL] = true;
    }
    const [labelled] = labelTools([new FunctionTool()]);
    expect(await labelsAfter(labelled, { args: { q: 1 }, toolContext: {} })).toMatchObject({
      "trustabl.tool.input_fp": canonicalFp({ q: 1 }),
    });
    expect(ownMessages(messages)).toEqual([expect.stringContaining("no error class")]);
  });

  it("is not put off by a call without a context, or without anything", async () => {
    const [labelled] = labelTools([new Tool()]);
    expect(await labelsAfter(labelled, {})).toMatchObject({ "trustabl.tool.attempt": 1 });
    expect(await labelsAfter(labelled, null)).toMatchObject({ "trustabl.tool.attempt": 1 });
  });

  it("leaves the tool's methods and private fields to the tool", () => {
    class Counting extends Tool {
      #asked = 0;
      get asked() {
        return this.#asked;
      }
      ask() {
        this.#asked += 1;
      }
    }
    const tool = new Counting();
    const [labelled] = labelTools([tool]);
    labelled.ask();
    expect([labelled.asked, tool.asked]).toEqual([1, 1]);
    expect(labelled).toBeInstanceOf(Counting);
    expect(labelled.constructor).toBe(Counting);
  });

  it("refuses wrong definitions when they are made", () => {
    const tool = new Tool();
    const wrong = { sideEffect: "harmless" } as unknown as AdkToolDefinition;
    expect(() => labelTools([tool], { search: wrong })).toThrow(RangeError);
    expect(() => labelTools([tool], { serach: {} })).toThrow('a definition for "serach"');
    expect(() => labelTools(labelTools([tool]))).toThrow("labelled already");
    expect(() => labelTools([tool], { toString: {} })).toThrow(TypeError);
  });
});
