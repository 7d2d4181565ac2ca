/**
 * Labels for the tools of an `McpServer` of the SDKs 1 and 2, on a span of the server's own.
 *
 * @module
 */
import { type Context, context, trace } from "@opentelemetry/api";
import { isSensitive } from "../../tool/sensitive.ts";
import { contextWithSharedCall, newSharedCall, sharedCallOf } from "../../tool/shared-call.ts";
import { beginToolCall } from "../../tool/tool-call.ts";
import type { PreparedTool, ToolFunction } from "../../tool/tool-definition.ts";
import { ClientCall } from "./client-call.ts";
import { type McpToolDefinitions, prepareTools, resultOf } from "./definition.ts";
import { hookMethod, observed, safely } from "./hook.ts";
import { Arrivals, serverSpan } from "./server-span.ts";
import { isUnfinished, reportUnfinished } from "./unfinished.ts";

/** An `McpServer` of either SDK, as far as it is looked at. */
export interface McpServer {
  /** Replaced by one that registers the tool with a handler that labels. */
  // biome-ignore lint/suspicious/noExplicitAny: the two SDKs have different overloads here
  registerTool(...parameters: any[]): unknown;
  /** The `Server` that handles requests. Its `connect` is replaced by one that follows the transport too. */
  readonly server: object;
}

/** Tells a labelled server from another, also across two installed copies of this package. */
const LABELLED = Symbol.for("agent-reliability-otel-labels.mcp.server.1");

/**
 * Labels the tools that are registered from now on, on a span that the server's process made for the call: of a
 * server-side instrumentation, or of a layer of your own around the handler. Call it after that instrumentation and before
 * the tools are registered and the server is connected.
 *
 * Where there is no such span nothing is written, least of all on the caller's span, and OpenTelemetry's `diag` says so. A
 * call that a labelled client of this process made is labelled there.
 *
 * @param definitions what is declared about tools, by name; a tool without a definition is labelled too
 * @returns the same server
 * @throws TypeError or RangeError on a wrong definition, a server that is labelled already, or one that is frozen
 * @example
 * ```ts
 * import { labelServer } from "agent-reliability-otel-labels/mcp";
 *
 * declare class McpServer { // from the SDK
 *   readonly server: object;
 *   registerTool(name: string, config: object, handler: (args: { to: string }) => object): object;
 * }
 *
 * const server = labelServer(new McpServer(), { search_flights: { sideEffect: "read" } });
 * server.registerTool("search_flights", {}, ({ to }) => ({ content: [{ type: "text", text: to }] }));
 * ```
 */
export function labelServer<Server extends McpServer>(
  server: Server,
  definitions: McpToolDefinitions = {},
): Server {
  const tool = prepareTools(definitions);
  if (LABELLED in server) throw new TypeError("labelServer got a server that is labelled already");
  const arrivals = new Arrivals();
  const register = (call: (parameters: unknown[]) => unknown, parameters: unknown[]) => {
    const [name, handler] = [parameters[0], parameters.at(-1)];
    if (typeof name !== "string" || name === "" || typeof handler !== "function") return call(parameters);
    return call([...parameters.slice(0, -1), labelHandler(tool(name), handler as ToolFunction, arrivals)]);
  };
  hookMethod(server, "registerTool", register);
  // SDK 1 has an older way, too.
  if ("tool" in server) hookMethod(server, "tool", register);
  hookMethod(server.server, "connect", (connect, parameters) => {
    safely(() => arrivals.follow(parameters[0]));
    return connect(parameters);
  });
  Object.defineProperty(server, LABELLED, { value: true });
  return server;
}

function labelHandler(tool: PreparedTool, handler: ToolFunction, arrivals: Arrivals): ToolFunction {
  const prepared: PreparedTool = {
    ...tool,
    sensitive: isSensitive(handler),
    // Ids of requests are the client's, not the model's.
    callId: () => undefined,
    span: () => trace.getActiveSpan(),
  };
  return new Proxy(handler, {
    apply(target, self, parameters: unknown[]) {
      const call = () => Reflect.apply(target, self, parameters) as unknown;
      const within = safely(() => contextOfCall(tool.name, arrivals));
      if (within === undefined) return call();
      return context.with(within, () => {
        const observer = beginToolCall(prepared, [argumentsOf(parameters)]);
        if (observer === undefined) return call();
        // A function that is labelled by itself, such as a contract's, has labelled its end.
        const tell = (how: () => void) => {
          if (sharedCallOf(within)?.takenOver !== true) how();
        };
        const returned = (result: unknown) =>
          tell(() => {
            if (isUnfinished(result)) reportUnfinished(tool.name);
            else observer.returned(resultOf(result));
          });
        const failed = (error: unknown) => tell(() => observer.failed(error));
        return observed({ ...observer, returned, failed }, call);
      });
    },
  });
}

/** Where the call is to be labelled; `undefined` where it is not. */
function contextOfCall(name: string, arrivals: Arrivals): Context | undefined {
  const current = context.active();
  const asked = sharedCallOf(current);
  if (asked instanceof ClientCall && (asked.covered || asked.begun?.span !== undefined)) return undefined;
  const span = serverSpan(name, arrivals);
  if (span === undefined) return undefined;
  const place = newSharedCall();
  // A labelled client that found no span has counted the call.
  if (asked instanceof ClientCall && asked.begun !== undefined) place.begun = { ...asked.begun, span };
  return contextWithSharedCall(current, place);
}

// (arguments, extra) or, of a tool without a schema, (extra). No client can send a signal.
function argumentsOf(parameters: readonly unknown[]): unknown {
  const [first] = parameters;
  const { signal, mcpReq } = (first ?? {}) as { signal?: unknown; mcpReq?: { signal?: unknown } };
  return signal instanceof AbortSignal || mcpReq?.signal instanceof AbortSignal ? {} : (first ?? {});
}
