import { describe, expect, it } from "vitest";
import { labelTools } from "../../../src/adapters/strands.ts";
import { sdk2 } from "../../support/sdks-here.ts";
import { inSpan, toolSpanAttributes, useContextManager } from "../../support/tracing.ts";
import { expectNoMixUp, type LoopCall, search } from "../many-runs.ts";

useContextManager();

interface Context {
  readonly toolUse: { readonly toolUseId: string; readonly input: LoopCall["input"] };
}

describe("1,000 calls of 50 runs of Strands at the same time", () => {
  it("are not mixed up", async () => {
    const tracing = sdk2.open();
    const [tool] = labelTools([
      {
        name: "search",
        toolSpec: {},
        async *stream({ toolUse }: Context) {
          yield "progress";
          const text = await search(toolUse.input, toolUse.toolUseId);
          return { content: [{ type: "textBlock", text }] };
        },
      },
    ]);
    await expectNoMixUp(tracing, ({ id, input, attributes }) => {
      const onSpan = { ...attributes, ...toolSpanAttributes("search", id) };
      return inSpan(tracing.tracer, "execute_tool search", onSpan, async () => {
        const stream = tool.stream({ toolUse: { toolUseId: id, input } });
        expect((await stream.next()).value).toBe("progress");
        const { value } = await stream.next();
        return (value as { content: { text: string }[] }).content[0]?.text;
      });
    });
    await tracing.close();
  });
});
