import * as newest from "@openai/agents";
import * as oldest from "agents-0-3-8";
import * as middle from "agents-0-13-5";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { reviewDefinitions } from "../../../src/contracts/review/index.ts";

describe.each([
  ["0.20", newest],
  ["0.13", middle as unknown as typeof newest],
  ["0.3", oldest as unknown as typeof newest],
])("a review of OpenAI Agents %s", (_, { Agent, handoff, tool, webSearchTool }) => {
  const search = (description: string | undefined) =>
    tool({
      name: "search_flights",
      description: description as string,
      parameters: z.object({ to: z.string().max(3) }),
      execute: async () => "none",
    });
  const found = (definition: unknown) =>
    reviewDefinitions(definition).findings.map(({ rule, subject }) => `${rule} ${subject}`);

  it("finds nothing on a tool that says what it does", () => {
    expect(found(search("Finds flights to an airport."))).toEqual([]);
  });

  it.each([undefined, "", " \n"])("finds a tool whose description is %j", (description) => {
    expect(found(search(description))).toEqual(["OAI-001 search_flights"]);
  });

  it("looks at an agent's tools, at its handoffs, and behind them", () => {
    const booking = new Agent({ name: "booking", instructions: "Book.", tools: [search("")] });
    const billing = new Agent({ name: "billing", instructions: "Bill." });
    const triage = new Agent({
      name: "triage",
      instructions: "Ask.",
      tools: [billing.asTool({ toolName: "ask_billing", toolDescription: "" }), webSearchTool()],
      handoffs: [handoff(booking), billing],
    });
    const { examined, findings, skipped } = reviewDefinitions({ triage });
    expect(examined.map(({ scope, subject }) => `${scope} ${subject}`)).toEqual([
      "agent triage",
      "tool ask_billing",
      "agent booking",
      "tool search_flights",
      "agent billing",
    ]);
    expect(findings.filter(({ rule }) => rule === "OAI-001").map(({ subject }) => subject)).toEqual([
      "ask_billing",
      "search_flights",
    ]);
    expect(skipped).toEqual([
      { subject: "triage", reason: expect.stringContaining("A tool that OpenAI runs") },
    ]);
  });

  it("judges the schema that the model is shown", () => {
    const open = tool({
      name: "update",
      description: "Updates.",
      strict: false,
      parameters: {
        type: "object",
        properties: { ids: { type: "array", items: { type: "string" } } },
        required: [],
        additionalProperties: true,
      },
      execute: async () => "done",
    });
    expect(found(open)).toEqual([
      "CONTRACT-001 update",
      "CONTRACT-004 update",
      "CONTRACT-007 update",
      "CONTRACT-006 update",
      "CONTRACT-013 update",
    ]);
  });
});
