import { describe, expect, it } from "vitest";
import { canonicalFp, wrapTool } from "../../src/index.ts";
import { ToolSpanTracker } from "../../src/tracker/index.ts";
import { sdk2, sdksHere } from "../support/sdks-here.ts";
import { labelsOf, toolSpanAttributes } from "../support/tracing.ts";
import { describeTracker } from "../support/tracker-suite.ts";

for (const sdk of sdksHere) describeTracker(sdk);

describe("two trackers", () => {
  it("are both asked", async () => {
    const [one, two] = [new ToolSpanTracker(), new ToolSpanTracker()];
    const tracing = sdk2.open({ processors: [two] });
    const tool = wrapTool({ name: "t" }, (_args: object, _options: object) => 1);
    const span = tracing.tracer.startSpan("execute_tool t", { attributes: toolSpanAttributes("t", "id") });
    tool({}, { toolCallId: "id" });
    span.end();
    expect(labelsOf(tracing.finished()[0])["trustabl.tool.output_fp"]).toBe(canonicalFp(1));
    await one.shutdown();
    await tracing.close();
  });
});
