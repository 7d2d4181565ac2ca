/**
 * The OpenAI Agents SDK: agents, their handoffs, function tools.
 *
 * @module
 */
import type { Looking } from "../looking.ts";
import { inputSchemaOf } from "../schema/input-schema.ts";
import { type Found, foundTool, innerOf, notReviewed, type Place, saysSomething } from "./found.ts";

/** What it is; `undefined` for what is not of this SDK. */
export function recogniseOpenaiAgents(value: object, { label }: Place, look: Looking): Found | undefined {
  if (look.text(value, "type") === "function" && look.hasFunction(value, "invoke")) return tool(value, look);
  if (look.text(value, "type") === "hosted_tool") {
    return notReviewed("A tool that OpenAI runs: its definition is not in this program.");
  }
  if (look.hasFunction(value, "onInvokeHandoff")) {
    const name = look.text(value, "agentName") ?? label;
    return {
      subjects: [],
      inner: innerOf([look.member(value, "agent")], name),
      skipped: [],
    };
  }
  return isAgent(value, look) ? agent(value, look) : undefined;
}

function isAgent(value: object, look: Looking): boolean {
  return (
    look.text(value, "name") !== undefined &&
    look.list(look.member(value, "handoffs")) !== undefined &&
    look.list(look.member(value, "tools")) !== undefined
  );
}

function agent(value: object, look: Looking): Found {
  const label = look.text(value, "name") ?? "agent";
  const servers = look.list(look.member(value, "mcpServers")) ?? [];
  return {
    subjects: [{ kind: "agent", framework: "openai-agents", label, bash: undefined }],
    inner: [
      ...innerOf(look.list(look.member(value, "tools")), label),
      ...innerOf(look.list(look.member(value, "handoffs")), label),
    ],
    skipped:
      servers.length > 0 ? ["It has MCP servers, whose tools are known only when they are asked."] : [],
  };
}

function tool(value: object, look: Looking): Found {
  const name = look.text(value, "name");
  return foundTool({
    framework: "openai-agents",
    name,
    label: name ?? "tool",
    hasDescription: saysSomething(look.text(value, "description"), name),
    input: inputSchemaOf(look.object(value, "parameters"), look),
    sideEffect: undefined,
    // `needsApproval` is a function on every tool, and nothing of the application is called here.
    confirm: undefined,
  });
}
