/**
 * The Claude Agent SDK: options of `query()`, subagents, tools and in-process MCP servers.
 *
 * @module
 */
import { isForeign, type Looking } from "../looking.ts";
import { inputSchemaOfShape } from "../schema/input-schema.ts";
import type { Subject } from "../subject.ts";
import { bashGrantsOfOptions, bashGrantsOfSubagent } from "./bash-grants.ts";
import {
  type Found,
  foundTool,
  type Inner,
  innerOf,
  notReviewed,
  type Place,
  saysSomething,
} from "./found.ts";

/** What it is; `undefined` for what is not of this SDK. */
export function recogniseClaudeAgentSdk(value: object, place: Place, look: Looking): Found | undefined {
  // Older MCP servers keep the handler as `callback`.
  const isCallable = look.hasFunction(value, "handler") || look.hasFunction(value, "callback");
  if (isCallable && isForeign(look.member(value, "inputSchema"))) {
    return tool(value, place, look);
  }
  const instance = look.object(value, "instance");
  if (look.text(value, "type") === "sdk" && instance !== undefined) return server(value, instance, look);
  if (look.text(value, "prompt") !== undefined && look.text(value, "description") !== undefined) {
    return only(subagent(value, undefined, place.label, look));
  }
  const inner = look.object(value, "options");
  if (inner !== undefined && look.member(value, "prompt") !== undefined && isOptions(inner, look)) {
    return options(inner, place.label, look);
  }
  return isOptions(value, look) ? options(value, place.label, look) : undefined;
}

const LISTS = ["allowedTools", "disallowedTools", "tools"];

// Every option is optional, so that one that nobody else has is asked for.
function isOptions(value: object, look: Looking): boolean {
  const isNamed = (one: unknown) => typeof one === "string";
  return (
    LISTS.some((name) => {
      const list = look.list(look.member(value, name));
      return list?.every(isNamed) && (list.length > 0 || name !== "tools");
    }) ||
    look.text(value, "permissionMode") !== undefined ||
    typeof look.member(value, "allowDangerouslySkipPermissions") === "boolean" ||
    look.hasFunction(value, "canUseTool") ||
    look.text(look.object(value, "tools"), "preset") !== undefined ||
    look.list(look.member(look.object(value, "hooks"), "PreToolUse")) !== undefined ||
    look.entries(look.object(value, "agents")).some(([, one]) => look.text(one, "prompt") !== undefined) ||
    look.entries(look.object(value, "mcpServers")).some(([, one]) => look.text(one, "type") === "sdk")
  );
}

function options(value: object, label: string, look: Looking): Found {
  const agents = look.entries(look.object(value, "agents")).filter(([, one]) => isForeign(one));
  const servers = look.entries(look.object(value, "mcpServers"));
  const own = servers.filter(([, one]) => look.text(one, "type") === "sdk");
  return {
    subjects: [
      { kind: "agent", framework: "claude-agent-sdk", label, bash: bashGrantsOfOptions(value, look) },
      ...agents.map(([name, one]) => subagent(one as object, value, name, look)),
    ],
    inner: own.map(([name, one]): Inner => ({ value: one, label: name, isName: false })),
    skipped:
      servers.length > own.length
        ? ["It has MCP servers in other processes, whose tools are known only when they are asked."]
        : [],
  };
}

const subagent = (value: object, session: object | undefined, label: string, look: Looking): Subject => ({
  kind: "agent",
  framework: "claude-agent-sdk",
  label,
  bash: bashGrantsOfSubagent(value, session, look),
});

// The server keeps its tools where nobody is meant to look; where they are not, that is said.
function server(value: object, instance: object, look: Looking): Found {
  const tools = look.object(instance, "_registeredTools");
  if (tools === undefined) {
    return notReviewed("The tools of this server cannot be seen; review what tool() gave.");
  }
  const label = look.text(value, "name") ?? "server";
  return {
    subjects: [],
    inner: look.entries(tools).map(([name, one]) => ({ value: one, label: name || label, isName: true })),
    skipped: [],
  };
}

function tool(value: object, { label, isName }: Place, look: Looking): Found {
  const name = look.text(value, "name") ?? (isName ? label : undefined);
  return foundTool({
    framework: "claude-agent-sdk",
    name,
    label: name ?? label,
    hasDescription: saysSomething(look.text(value, "description"), name),
    input: inputSchemaOfShape(look.member(value, "inputSchema"), look),
    sideEffect: undefined,
    // A matter of the session's permissions, which the tool does not know.
    confirm: undefined,
  });
}

const only = (subject: Subject): Found => ({ subjects: [subject], inner: innerOf([], ""), skipped: [] });
