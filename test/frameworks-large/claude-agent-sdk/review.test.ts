import { createSdkMcpServer, type Options, tool } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { reviewDefinitions } from "../../../src/contracts/review/index.ts";

const search = (description: string, shape = { to: z.string().max(3) }) =>
  tool("search_flights", description, shape, async () => ({ content: [] }));
const found = (definition: unknown) =>
  reviewDefinitions(definition).findings.map(({ rule, subject }) => `${rule} ${subject}`);

describe("a review of the Claude Agent SDK", () => {
  it("finds nothing on a tool that says what it does", () => {
    expect(found(search("Finds flights to an airport."))).toEqual([]);
  });

  it.each(["", " \n"])("finds a tool whose description is %j", (description) => {
    expect(found(search(description))).toEqual(["CSDK-001 search_flights"]);
  });

  it("judges the members that tool() is given", () => {
    const shape = { to: z.string(), via: z.array(z.string().max(3)).optional(), any: z.any() };
    expect(found(search("Finds flights.", shape as never))).toEqual([
      "CONTRACT-005 search_flights",
      "CONTRACT-007 search_flights",
      "CONTRACT-006 search_flights",
    ]);
  });

  it("looks at options, subagents, and the tools of an in-process server", () => {
    const options: Options = {
      tools: ["Read", "Bash"],
      agents: { reviewer: { description: "Reviews.", prompt: "Review.", tools: ["Bash(git diff:*)"] } },
      mcpServers: { travel: createSdkMcpServer({ name: "travel", tools: [search("")] }) },
    };
    const { examined, skipped } = reviewDefinitions({ options });
    expect(examined.map(({ scope, subject }) => `${scope} ${subject}`)).toEqual([
      "agent options",
      "agent reviewer",
      "tool search_flights",
    ]);
    expect(skipped).toEqual([]);
    expect(found({ options })).toEqual(["CSDK-101 options", "CSDK-001 search_flights"]);
    expect(found({ options: { ...options, allowedTools: ["Bash(git diff:*)"] } })).toEqual([
      "CSDK-001 search_flights",
    ]);
  });

  it("knows that canUseTool is not asked about what allowedTools grants as a whole, as the SDK itself warns", () => {
    const canUseTool = async () => ({ behavior: "deny" as const, message: "no" });
    expect(found({ allowedTools: ["Bash"], canUseTool } satisfies Options)).toEqual(["CSDK-101 definition"]);
    expect(found({ tools: ["Bash"], canUseTool } satisfies Options)).toEqual([]);
  });
});
