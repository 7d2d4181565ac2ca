/**
 * One request and its answer. What is done with the spans is the handler's; everything about HTTP is here.
 *
 * @module
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import {
  type ContentType,
  type Encoding,
  encodingOf,
  JSON_ENCODING,
  type Rejected,
  type TraceRequest,
} from "./encoding.ts";
import type { MemoryBudget } from "./memory-budget.ts";
import { Refusal } from "./refusal.ts";
import { readBody } from "./request-body.ts";
import { type IgnoredSignal, routeOf } from "./routes.ts";

/** An export as it came, for those who pass it on. */
export interface Received {
  /** Decompressed. */
  readonly body: Uint8Array;
  readonly contentType: ContentType;
  /** True when it was sent compressed, in whichever way. */
  readonly compressed: boolean;
  readonly headers: IncomingHttpHeaders;
}

/** What is done with what was received. Nothing here is called for a request that was not complete. */
export interface ReceiverHandlers {
  /**
   * A trace export. What is returned was not accepted, and is told to the exporter. A {@link Refusal} that is thrown
   * is the answer; anything else that is thrown is answered with 500.
   */
  onTraces(request: TraceRequest, received: Received): Rejected | undefined | Promise<Rejected | undefined>;
  /** An export of another signal, which is taken unread. May throw as `onTraces` may; a promise is waited for. */
  onIgnored?: ((signal: IgnoredSignal, received: Received) => unknown) | undefined;
  /** An export that was not taken in. */
  onRefused?: ((refusal: Refusal) => void) | undefined;
}

/** What an exchange needs of its receiver. */
export interface ExchangeSettings {
  readonly handlers: ReceiverHandlers;
  readonly pathPrefix: string;
  readonly maxBodyBytes: number;
  readonly newBudget: () => MemoryBudget;
}

// A refused client may still be sending. It is heard for this long, so that it gets to read the answer.
const LINGER_MILLISECONDS = 1_000;

/** Answers one request. Never throws. */
export async function exchange(
  request: IncomingMessage,
  response: ServerResponse,
  settings: ExchangeSettings,
): Promise<void> {
  const encoding = encodingOf(request.headers["content-type"]) ?? JSON_ENCODING;
  const budget = settings.newBudget();
  try {
    const rejected = await receive(request, settings, budget);
    send(response, 200, encoding, encoding.accepted(rejected));
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal("failed");
    // Whoever asks with another method (a browser, a health check) has nothing to export.
    if (request.method === "POST") settings.handlers.onRefused?.(refusal);
    refuse(request, response, encoding, refusal);
  } finally {
    budget.giveBack();
  }
}

async function receive(
  request: IncomingMessage,
  { handlers, pathPrefix, maxBodyBytes }: ExchangeSettings,
  budget: MemoryBudget,
): Promise<Rejected | undefined> {
  const route = routeOf(request.url, pathPrefix);
  if (route === undefined) throw new Refusal("bad_path");
  if (request.method !== "POST") throw new Refusal("bad_method");
  const encoding = encodingOf(request.headers["content-type"]);
  if (encoding === undefined) throw new Refusal("bad_content_type");
  const { body, compressed } = await readBody(request, maxBodyBytes, budget);
  const { headers } = request;
  const received = { body, contentType: encoding.contentType, compressed, headers };
  if (route === "traces") return await handlers.onTraces(encoding.decode(body), received);
  await handlers.onIgnored?.(route, received);
  return undefined;
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  encoding: Encoding,
  refusal: Refusal,
): void {
  if (response.headersSent || !request.socket.writable) {
    request.socket.destroy();
    return;
  }
  if (refusal.status === 405) response.setHeader("allow", "POST");
  if (refusal.status === 503) response.setHeader("retry-after", "1");
  if (!request.complete) {
    response.setHeader("connection", "close");
    const { socket } = request;
    request.resume();
    response.once("finish", () => setTimeout(() => socket.destroy(), LINGER_MILLISECONDS).unref());
  }
  send(response, refusal.status, encoding, encoding.refused(refusal));
}

function send(response: ServerResponse, status: number, encoding: Encoding, body: Uint8Array): void {
  response.statusCode = status;
  response.setHeader("content-type", encoding.contentType);
  response.setHeader("content-length", body.length);
  response.end(body);
}
