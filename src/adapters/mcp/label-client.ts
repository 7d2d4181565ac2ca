/**
 * Labels for the tool calls of an MCP client, of the SDKs 1 and 2, over any transport.
 *
 * @module
 */
import { context } from "@opentelemetry/api";
import type { CallObserver } from "../../tool/observe-result.ts";
import { contextWithSharedCall } from "../../tool/shared-call.ts";
import { ClientCall } from "./client-call.ts";
import { type Message, PendingCalls } from "./client-transport.ts";
import { type McpToolDefinitions, prepareTools } from "./definition.ts";
import { signalOf } from "./failure.ts";
import { hookCallback, hookMethod, observed, safely, type Transport } from "./hook.ts";
import { ToolHints } from "./tool-hints.ts";

/** A `Client` of either SDK, as far as it is looked at. */
export interface McpClient {
  /** Replaced by one that follows the transport too, over which calls leave and answers come. */
  // biome-ignore lint/suspicious/noExplicitAny: the two SDKs have different types here
  connect(transport: any, ...rest: any[]): Promise<unknown>;
  /** Replaced by one that knows which requests are calls of tools; every other passes through. */
  // biome-ignore lint/suspicious/noExplicitAny: the two SDKs have different overloads here
  request(...parameters: any[]): unknown;
}

/** Options of {@link labelClient}. */
export interface LabelClientOptions {
  /**
   * Take the side effect of a tool without a definition from its server's annotations, once the client has listed its
   * tools. Default `false`: a server that is not yours may say anything.
   */
  readonly trustToolAnnotations?: boolean | undefined;
}

/** Tells a labelled client from another, also across two installed copies of this package. */
const LABELLED = Symbol.for("agent-reliability-otel-labels.mcp.client.1");

/**
 * Labels every tool call of this one client, on the span that its instrumentation makes or, where an agent's framework has
 * a span for the call, on that one. Call it once, before or after `connect`.
 *
 * @param definitions what is declared about tools, by name; a tool without a definition is labelled too
 * @returns the same client
 * @throws TypeError or RangeError on a wrong definition, a client that is labelled already, or one that is frozen
 * @example
 * ```ts
 * import { labelClient } from "agent-reliability-otel-labels/mcp";
 *
 * declare class Client { // from the SDK
 *   connect(transport: object): Promise<void>;
 *   request(...parameters: unknown[]): Promise<unknown>;
 * }
 *
 * const client = labelClient(new Client(), { search_flights: { sideEffect: "read" } });
 * ```
 */
export function labelClient<Client extends McpClient>(
  client: Client,
  definitions: McpToolDefinitions = {},
  { trustToolAnnotations = false }: LabelClientOptions = {},
): Client {
  const declared = prepareTools(definitions);
  if (typeof trustToolAnnotations !== "boolean") {
    throw new TypeError('"trustToolAnnotations" of labelClient expected true or false');
  }
  if (LABELLED in client) throw new TypeError("labelClient got a client that is labelled already");
  const hints = trustToolAnnotations ? new ToolHints() : undefined;
  const tool = (name: string) => {
    const prepared = declared(name);
    return prepared.sideEffect === undefined ? { ...prepared, sideEffect: hints?.of(name) } : prepared;
  };
  const pending = new PendingCalls(client, tool, hints);
  const followed = new WeakSet<object>();
  const follow = (transport: unknown) => {
    if (typeof transport !== "object" || transport === null || followed.has(transport)) return;
    followed.add(transport);
    followTransport(transport, pending);
  };
  hookMethod(client, "connect", (connect, parameters) => {
    safely(() => follow(parameters[0]));
    return connect(parameters);
  });
  hookMethod(client, "request", (request, parameters) => {
    const call = safely(() => callOf(client, parameters));
    if (call === undefined) return request(parameters);
    return observed(call.settled, () =>
      context.with(contextWithSharedCall(context.active(), call), () => request(parameters)),
    );
  });
  Object.defineProperty(client, LABELLED, { value: true });
  safely(() => follow((client as { readonly transport?: unknown }).transport));
  return client;
}

function callOf(client: object, parameters: readonly unknown[]): ClientCall | undefined {
  const { method, params } = (parameters[0] ?? {}) as { method?: unknown; params?: { name?: unknown } };
  const name = params?.name;
  if (method !== "tools/call" || typeof name !== "string" || name === "") return undefined;
  return new ClientCall(client, name, signalOf(parameters));
}

function followTransport(transport: Transport, pending: PendingCalls): void {
  hookMethod(transport, "send", (send, parameters) => {
    const call = safely(() => pending.sending(parameters[0] as Message, parameters[1]));
    if (call === undefined) return send(parameters);
    const sent: CallObserver = {
      returned: () => {},
      failed: (error) => call.failed(error),
      unobservable: () => {},
    };
    return observed(sent, () => send(parameters));
  });
  hookCallback(transport, "onmessage", (message) => pending.received(message as Message));
  hookCallback(transport, "onclose", () => pending.closed());
}
