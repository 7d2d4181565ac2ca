import { DynamicStructuredTool, tool } from "@langchain/core/tools";
import { createAgent, FakeToolCallingModel } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { reviewDefinitions } from "../../../src/contracts/review/index.ts";

const schema = z.object({ to: z.string().max(3) });
const found = (definition: unknown) =>
  reviewDefinitions(definition).findings.map(({ rule, subject }) => `${rule} ${subject}`);

describe("a review of LangChain", () => {
  const described = tool(async () => "none", {
    name: "search_flights",
    description: "Finds flights to an airport.",
    schema,
  });
  const silent = tool(async () => "none", { name: "find_hotels", schema });

  it("finds nothing on a tool that says what it does", () => {
    expect(found(described)).toEqual([]);
  });

  it("takes the description that LangChain fills in for none", () => {
    expect(silent.description).toBe("find_hotels tool");
    expect(found(silent)).toEqual(["CONTRACT-003 find_hotels"]);
  });

  it("judges a schema that is JSON Schema", () => {
    const open = new DynamicStructuredTool({
      name: "find_hotels",
      description: "Finds hotels.",
      schema: {
        type: "object",
        required: ["names"],
        properties: { names: { type: "array", maxItems: 3, items: { type: "integer" } } },
      },
      func: async () => "none",
    });
    expect(found(open)).toEqual(["CONTRACT-004 find_hotels"]);
  });

  it("says of a tool without a schema of its own that its input was not judged", () => {
    const { skipped } = reviewDefinitions(
      tool(async () => "none", { name: "find_all", description: "Finds." }),
    );
    expect(skipped).toEqual([{ subject: "find_all", reason: expect.stringContaining("JSON Schema") }]);
  });

  it("looks at an agent and its tools", () => {
    const agent = createAgent({
      model: new FakeToolCallingModel({ toolCalls: [] }),
      tools: [described, silent],
      name: "booker",
    });
    const { examined } = reviewDefinitions({ agent });
    expect(examined.map(({ framework, scope, subject }) => `${framework} ${scope} ${subject}`)).toEqual([
      "langchain agent booker",
      "langchain tool search_flights",
      "langchain tool find_hotels",
    ]);
    expect(found({ agent })).toEqual(["CONTRACT-003 find_hotels"]);
  });
});
