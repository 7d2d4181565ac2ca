/**
 * The calls on a client's transport: each is followed from the message that asks to the one that answers, by the id that
 * JSON-RPC gives it.
 *
 * Both SDKs pass a message on to an `onmessage` that was there before they connected, before they look at it themselves:
 * so the answer is seen while the instrumentation's span is still open.
 *
 * @module
 */
import { context } from "@opentelemetry/api";
import { report } from "../../labels/diagnostics.ts";
import { sharedCallOf } from "../../tool/shared-call.ts";
import type { PreparedTool } from "../../tool/tool-definition.ts";
import { ClientCall } from "./client-call.ts";
import type { ToolHints } from "./tool-hints.ts";

/** A JSON-RPC message. Half of them come from somebody else: nothing of one is certain. */
export interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly arguments?: unknown; readonly requestId?: unknown } | null;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Calls that are waited for; a client that gives up after a minute has fewer. */
const MAX_PENDING = 10_000;

/** The open calls of one client. */
export class PendingCalls {
  readonly #client: object;
  readonly #tool: (name: string) => PreparedTool;
  /** Only where the user trusts them. */
  readonly #hints: ToolHints | undefined;
  readonly #calls = new Map<string, ClientCall>();
  readonly #lists = new Set<string>();

  constructor(client: object, tool: (name: string) => PreparedTool, hints: ToolHints | undefined) {
    this.#client = client;
    this.#tool = tool;
    this.#hints = hints;
  }

  /** @returns the call that the message asks for, if its end is waited for */
  sending(message: Message, options: unknown): ClientCall | undefined {
    const id = String(message.id);
    switch (message.method) {
      case "tools/call":
        return this.#sendingCall(id, message, options);
      case "tools/list":
        if (this.#hints !== undefined) remember(this.#lists, id);
        return undefined;
      case "notifications/cancelled":
        this.#take(String(message.params?.requestId))?.cancelled();
        return undefined;
      default:
        return undefined;
    }
  }

  #sendingCall(id: string, message: Message, options: unknown): ClientCall | undefined {
    const call = sharedCallOf(context.active());
    if (!(call instanceof ClientCall) || call.client !== this.#client) return undefined;
    if (!call.send(this.#tool, message.params?.arguments)) return undefined;
    if (this.#calls.size >= MAX_PENDING) this.#forgetOldest();
    this.#calls.set(id, call);
    // SDK 2 on HTTP closes the request's stream instead of telling the server.
    const aborting = (options as { requestSignal?: AbortSignal } | undefined)?.requestSignal;
    aborting?.addEventListener("abort", () => this.#take(id)?.cancelled(), { once: true });
    return call;
  }

  received(message: Message): void {
    if (message.method !== undefined || message.id === undefined) return;
    const id = String(message.id);
    if (this.#lists.delete(id)) this.#hints?.learn(message.result);
    const call = this.#take(id);
    if (message.error === undefined) call?.answered(message.result);
    else call?.failed(message.error);
  }

  closed(): void {
    for (const id of [...this.#calls.keys()]) this.#take(id)?.failed(new Error("the connection was closed"));
    this.#lists.clear();
  }

  #take(id: string): ClientCall | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }

  #forgetOldest(): void {
    const [oldest] = this.#calls.keys();
    if (oldest !== undefined) this.#calls.delete(oldest);
    report(
      "mcp pending",
      "",
      () =>
        `more than ${MAX_PENDING} calls of an MCP client are open: the ends of the oldest are not labelled`,
    );
  }
}

function remember(ids: Set<string>, id: string): void {
  if (ids.size < MAX_PENDING) ids.add(id);
}
