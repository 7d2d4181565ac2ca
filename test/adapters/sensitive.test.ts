import { describe, expect, it } from "vitest";
import { labelTools } from "../../src/adapters/ai-sdk.ts";
import { defineTools, tool } from "../../src/contracts/index.ts";
import { wrapTool } from "../../src/index.ts";
import { sdk2 } from "../support/sdks-here.ts";
import { inSpan, labelsOf, toolSpanAttributes, useTracing } from "../support/tracing.ts";

const tracing = useTracing(sdk2);

const { check_pin } = defineTools({
  check_pin: {
    description: "Check a PIN.",
    input: {
      type: "object",
      additionalProperties: false,
      required: ["pin"],
      properties: { pin: { type: "string", maxLength: 6 } },
    },
    sideEffect: "read",
    sensitive: true,
  },
});
const guarded = tool(check_pin, async () => "right");

describe("a tool whose contract says that it is sensitive", () => {
  it.each<[string, (args: { pin: string }) => unknown]>([
    ["alone", guarded],
    ["in a set that an adapter labels", labelTools({ check_pin: { execute: guarded } }).check_pin.execute],
    ["wrapped once more", wrapTool({ name: "check_pin" }, guarded)],
  ])("has no fingerprint, of arguments or results: %s", async (_, execute) => {
    const call = () => execute({ pin: "1234" });
    await inSpan(tracing.tracer, "execute_tool check_pin", toolSpanAttributes("check_pin"), call);
    const labels = labelsOf(tracing.finished()[0]);
    expect(labels).not.toHaveProperty(["trustabl.tool.input_fp"]);
    expect(labels).not.toHaveProperty(["trustabl.tool.output_fp"]);
    expect(labels).toMatchObject({ "trustabl.tool.side_effect": "read" });
  });
});
