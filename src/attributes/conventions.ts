/**
 * Names of other people's spans that this package only reads, as one table: how each instrumentation says
 * "this is a tool call" and "this is an agent", and where it puts the tool's name and the call id.
 * `findToolSpan`, the span tracker and the verifier all ask this table. Where the captured content is, which only readers
 * of exports ask, stands in `captured-content.ts`.
 *
 * The names are strings of our own. The published constants are marked deprecated and move; these were read off
 * real exports in November 2026 and change here, in one place.
 *
 * Attribute tests come before name tests: names are for people and change.
 *
 * @module
 */

/** What is needed to recognise a span; live spans and exported ones both have it. */
export interface SpanFacts {
  /** The span's name; some conventions tell a tool by it. Missing counts as empty. */
  readonly name?: string | undefined;
  /** Name of the instrumentation scope. */
  readonly scope?: string | undefined;
  /** Its attributes, by name. */
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * What a span stands for:
 * - `tool`: one call of a tool
 * - `agent`: one run of an agent
 * - `handoff`: the step that passes control to another agent; shaped like a tool call, but no tool ran
 * - `no_call`: shaped like a tool call, but no tool function ran in this process
 */
export type SpanRole = "tool" | "agent" | "handoff" | "no_call";

/** The conventions of the table. */
export type ConventionId =
  | "ai-sdk"
  | "openinference"
  | "traceloop-langchain"
  | "traceloop"
  | "langfuse"
  | "laminar"
  | "mastra"
  | "voltagent"
  | "claude-code"
  | "genkit"
  | "mcp"
  | "gen_ai";

/** One instrumentation's way of naming things. */
export interface Convention {
  readonly id: ConventionId;
  /** The span's role, or `undefined` when this convention does not know the span. Must not throw. */
  readonly role: (span: SpanFacts) => SpanRole | undefined;
  /** Attributes that hold the tool's name, best first. */
  readonly toolName: readonly string[];
  /** The tool's name inside the span's name, in the first group. */
  readonly toolNamePattern?: RegExp;
  /** Attributes that hold the call id that the model gave, best first. */
  readonly callId: readonly string[];
}

const text = (span: SpanFacts, key: string): string | undefined => {
  const value = span.attributes?.[key];
  return typeof value === "string" && value !== "" ? value : undefined;
};

/** The role that the value of one attribute gives. */
const roleBy =
  (key: string, roles: Readonly<Record<string, SpanRole>>) =>
  (span: SpanFacts): SpanRole | undefined => {
    const value = text(span, key);
    return value !== undefined && Object.hasOwn(roles, value) ? roles[value] : undefined;
  };

const AI_SDK_AGENTS = new Set(["ai.generateText", "ai.streamText", "ai.generateObject", "ai.streamObject"]);
const ADK = "gcp.vertex.agent";
const AWS_AGENTS = "@aws/aws-distro-opentelemetry-instrumentation-openai-agents";
const OPENLIT_AGENTS = "@openlit/instrumentation-openai-agents";
const CLAUDE_CODE = "com.anthropic.claude_code.tracing";
const EXECUTE_TOOL = /^execute_tool (.+)$/;
const MASTRA_TOOL = /^(?:mcp_)?tool: '(.+?)'(?: on '.*')?$/;
const genAiNames = { toolName: ["gen_ai.tool.name"], callId: ["gen_ai.tool.call.id"] } as const;

/**
 * Every convention, most specific first: the first whose `role` answers decides. A vendor's row stands before
 * the general one where its spans carry general attributes with another meaning.
 */
export const CONVENTIONS: readonly Convention[] = [
  {
    // Vercel AI SDK 4 to 6, scope `ai`, and the legacy class of its OpenTelemetry package for 7.
    id: "ai-sdk",
    role: (span) => {
      if (span.name === "ai.toolCall" || span.attributes?.["ai.operationId"] === "ai.toolCall") return "tool";
      return AI_SDK_AGENTS.has(text(span, "ai.operationId") ?? span.name ?? "") ? "agent" : undefined;
    },
    toolName: ["ai.toolCall.name"],
    callId: ["ai.toolCall.id"],
  },
  {
    // OpenInference: OpenAI Agents, LangChain, Claude Agent SDK, ...
    id: "openinference",
    role: (span) => {
      switch (text(span, "openinference.span.kind")) {
        case "TOOL":
          // By the span's name, which the bridge writes; an application may well have a tool "handoff_to_human".
          if (/^handoff to /.test(span.name ?? "")) return "handoff";
          return span.name === "mcp_tools" ? "no_call" : "tool";
        case "AGENT":
          return "agent";
        case "CHAIN":
          return isLangChainAgent(span) ? "agent" : undefined;
        default:
          return undefined;
      }
    },
    toolName: ["tool.name"],
    callId: ["tool_call.id", "tool.id"],
  },
  {
    // OpenLLMetry's LangChain package: a tool is a `task`, and both its name and its entity are the tool's class.
    id: "traceloop-langchain",
    role: (span) =>
      text(span, "traceloop.span.kind") === "task" && EXECUTE_TOOL.test(span.name ?? "") ? "tool" : undefined,
    ...genAiNames,
  },
  {
    // OpenLLMetry (Traceloop).
    id: "traceloop",
    role: roleBy("traceloop.span.kind", { tool: "tool", agent: "agent", workflow: "agent" }),
    toolName: ["traceloop.entity.name"],
    callId: ["gen_ai.tool.call.id"],
  },
  {
    id: "langfuse",
    role: roleBy("langfuse.observation.type", { tool: "tool", agent: "agent" }),
    ...genAiNames,
  },
  {
    // Laminar. The tool's name is the span's. An agent of OpenAI Agents is a span of the type of everything else.
    id: "laminar",
    role: (span) => {
      if (text(span, "lmnr.span.type") !== "TOOL") return undefined;
      if (span.name === "agents.handoff") return "handoff";
      return span.name === "agents.mcp_tools" || span.name === "agents.mcp_list_tools" ? "no_call" : "tool";
    },
    toolName: [],
    toolNamePattern: /^(.+)$/,
    callId: [],
  },
  {
    id: "mastra",
    role: (span) => {
      switch (text(span, "mastra.span.type")) {
        case "tool_call":
        case "mcp_tool_call":
          return "tool";
        case "provider_tool_call":
          return "no_call";
        case "agent_run":
          return "agent";
        default:
          // While they are live, the bridge's spans have nothing but their names.
          if (MASTRA_TOOL.test(span.name ?? "")) return "tool";
          return /^agent run: '.+'$/.test(span.name ?? "") ? "agent" : undefined;
      }
    },
    ...genAiNames,
    toolNamePattern: MASTRA_TOOL,
  },
  {
    // VoltAgent.
    id: "voltagent",
    role: (span) => {
      if (text(span, "entity.type") === undefined) return undefined;
      const type = text(span, "span.type");
      // VoltAgent's own way of delegating.
      if (type === "tool") return text(span, "tool.name") === "delegate_task" ? "handoff" : "tool";
      return type === undefined && text(span, "entity.type") === "agent" ? "agent" : undefined;
    },
    toolName: ["gen_ai.tool.name", "tool.name"],
    callId: ["gen_ai.tool.call.id", "tool.call.id"],
  },
  {
    // Claude Code's own spans, which are also those of the Claude Agent SDK. The name in `gen_ai.tool.name` leaves out the
    // MCP server, so that tools of two servers would be taken for one. A delegated agent has no span of its own.
    id: "claude-code",
    role: (span) => {
      if (span.scope !== CLAUDE_CODE && !span.name?.startsWith("claude_code.")) return undefined;
      const type = text(span, "span.type");
      if (type === "tool" || span.name === "claude_code.tool") return "tool";
      return type === "interaction" || span.name === "claude_code.interaction" ? "agent" : undefined;
    },
    ...genAiNames,
    toolName: ["tool_name", "gen_ai.tool.name"],
    callId: ["gen_ai.tool.call.id", "tool_use_id"],
  },
  {
    id: "genkit",
    role: (span) => {
      if (text(span, "genkit:metadata:subtype") === "tool") return "tool";
      const root = span.attributes?.["genkit:isRoot"];
      return root === true || root === "true" ? "agent" : undefined;
    },
    toolName: ["genkit:name"],
    callId: [],
  },
  {
    id: "mcp",
    role: roleBy("mcp.method.name", { "tools/call": "tool" }),
    toolNamePattern: /^tools\/call (.+)$/,
    ...genAiNames,
  },
  {
    // The OpenTelemetry GenAI conventions: AI SDK 7, ADK, Strands, Claude Code, the Anthropic SDK, openlit, ...
    id: "gen_ai",
    role: (span) => {
      switch (text(span, "gen_ai.operation.name")) {
        case "execute_tool":
          // ADK's own way of handing over; no function of the application runs.
          if (span.scope === ADK && text(span, "gen_ai.tool.name") === "transfer_to_agent") return "handoff";
          // Strands' own way to structured output, and of a swarm to pass on control. Its scope is the service's name.
          if (text(span, "gen_ai.tool.name") === "strands_structured_output") return "no_call";
          // "extension" is a tool that the model's provider runs; "(merged tools)" stands for several calls.
          if (text(span, "gen_ai.tool.type") === "extension") return "no_call";
          if (span.scope === OPENLIT_AGENTS && isToolList(span)) return "no_call";
          return /^execute_tool \(merged/.test(span.name ?? "") ? "no_call" : "tool";
        case "invoke_agent":
          if (span.scope === OPENLIT_AGENTS) return openlitRole(span);
          return "agent";
        case "invoke_workflow":
          // A task of the SDK: the agent has a span of its own right below.
          return span.scope === AWS_AGENTS ? undefined : "agent";
        case "invoke_graph": // Strands
        case "invoke_swarm":
          return "agent";
        case undefined:
          break;
        default:
          return undefined;
      }
      // A call that failed early has only its name (ADK), as does a live one.
      if (span.scope === ADK && span.name === "execute_tool transfer_to_agent") return "handoff";
      if (/^execute_tool \(merged/.test(span.name ?? "")) return "no_call";
      if (EXECUTE_TOOL.test(span.name ?? "")) return "tool";
      return /^invoke_agent( |$)/.test(span.name ?? "") ? "agent" : undefined;
    },
    ...genAiNames,
    toolNamePattern: EXECUTE_TOOL,
  },
];

// openlit calls everything that is no tool "invoke_agent": tasks and turns, which have no name, handoffs, and guardrails.
function openlitRole(span: SpanFacts): SpanRole | undefined {
  if (span.name === "invoke_agent" || span.attributes?.["gen_ai.guardrail.triggered"] !== undefined)
    return undefined;
  return text(span, "gen_ai.agent.source") === undefined ? "agent" : "handoff";
}

// The list of an MCP server's tools, which openlit shows as the call of a tool.
function isToolList(span: SpanFacts): boolean {
  return span.name === "execute_tool mcp_list_tools" && text(span, "gen_ai.tool.name") === undefined;
}

// LangChain's agents are chains. Their metadata names the agent; every chain below inherits that name, so it has to be the
// span's own. An agent without a name is the one chain of its graph that is no node of it.
function isLangChainAgent(span: SpanFacts): boolean {
  const metadata = text(span, "metadata");
  if (metadata === undefined || metadata.length > 65_536) return false;
  try {
    const parsed = JSON.parse(metadata) as Record<string, unknown> | null;
    const integration = parsed?.ls_integration;
    const isGraph = integration === "langchain_create_agent" || integration === "langgraph";
    // The name of a graph that was given none.
    if (isGraph && span.name === "LangGraph") return true;
    if (typeof parsed?.lc_agent_name === "string") return parsed.lc_agent_name === span.name;
    return isGraph && parsed?.langgraph_node === undefined;
  } catch {
    return false;
  }
}

/** What the table says about one span. */
export interface RecognisedSpan {
  readonly role: SpanRole;
  readonly convention: Convention;
  /** The tool's name, where the span shows it. */
  readonly toolName: string | undefined;
  /** The call id that the model gave, where the span shows it. */
  readonly callId: string | undefined;
}

const firstText = (span: SpanFacts, names: readonly string[]): string | undefined => {
  for (const name of names) {
    const value = text(span, name);
    if (value !== undefined) return value;
  }
  return undefined;
};

/**
 * What a span stands for, by the first convention that knows it; `undefined` for every other span.
 *
 * Reads attributes of a live span, which belong to somebody else's SDK: a container that throws is
 * a span that nobody recognises.
 */
export function recogniseSpan(span: SpanFacts): RecognisedSpan | undefined {
  try {
    for (const convention of CONVENTIONS) {
      const role = convention.role(span);
      if (role === undefined) continue;
      const named = firstText(span, convention.toolName);
      return {
        role,
        convention,
        toolName:
          role === "agent" ? undefined : (named ?? convention.toolNamePattern?.exec(span.name ?? "")?.[1]),
        callId: role === "agent" ? undefined : firstText(span, convention.callId),
      };
    }
  } catch {
    // Not ours to report: what cannot be read is not recognised.
  }
  return undefined;
}
