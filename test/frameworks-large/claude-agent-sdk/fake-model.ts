/**
 * A Messages API on loopback whose answers are written down in the prompt, so that it needs no state: agents that are
 * delegated to, and queries at the same time, each bring their own script.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A tool call that the model makes. */
export interface ScriptedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}
/** What the model answers, turn by turn: the calls of one answer. After the last one it answers with a text. */
export type Script = readonly (readonly ScriptedCall[])[];

const MARK = /<script>([A-Za-z0-9_-]*)<\/script>/;

/** A prompt that makes the model follow the script. */
export const scripted = (script: Script): string =>
  `Follow it. <script>${Buffer.from(JSON.stringify(script)).toString("base64url")}</script>`;

interface Block {
  readonly type: string;
  readonly text?: string;
  /** Of a `tool_result`. */
  readonly tool_use_id?: string;
  readonly content?: string | readonly Block[];
}
interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

const textIn = (content: string | readonly Block[] = ""): string =>
  typeof content === "string" ? content : content.map((block) => block.text ?? "").join("\n");
const words = ({ content }: Message): string => textIn(content);

/** What the model was told of each call, in order, without the command line's own remarks. */
export function toldIn({ messages }: ModelRequest): string[] {
  return messages
    .flatMap(({ content }) => (typeof content === "string" ? [] : content))
    .filter(({ type }) => type === "tool_result")
    .map(({ content }) => textIn(content).replace(/\s*<system-reminder>[\s\S]*$/, ""));
}

function answerTo(messages: readonly Message[]): readonly ScriptedCall[] {
  const start = messages.findLastIndex((message) => message.role === "user" && MARK.test(words(message)));
  const prompt = messages[start];
  if (prompt === undefined) return [];
  const script = JSON.parse(
    Buffer.from(MARK.exec(words(prompt))?.[1] ?? "", "base64url").toString(),
  ) as Script;
  return script[messages.slice(start).filter(({ role }) => role === "assistant").length] ?? [];
}

/** What the model was given in one request. */
export interface ModelRequest {
  readonly messages: readonly Message[];
  readonly tools?: readonly { readonly name: string; readonly input_schema: object }[];
}

/** Starts the model; `url` is its base URL, `requests` what it was given. */
export async function startModel(): Promise<{
  readonly url: string;
  readonly requests: ModelRequest[];
  close(): void;
}> {
  let made = 0;
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    const newId = (kind: string) => `${kind}_test${String(++made).padStart(5, "0")}`;
    void answer(request, response, newId, (body) => requests.push(body));
  });
  const url = await listen(server);
  return { url, requests, close: () => server.closeAllConnections() ?? server.close() };
}

export async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  newId: (kind: string) => string,
  onRequest: (body: ModelRequest) => void,
) {
  const body = JSON.parse((await text(request)) || "{}");
  const reply = (value: object, status = 200) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  if (request.url?.includes("/count_tokens")) return reply({ input_tokens: 1 });
  if (!request.url?.includes("/v1/messages"))
    return reply({ type: "error", error: { type: "not_found_error" } }, 404);
  onRequest(body);
  const calls = answerTo(body.messages ?? []);
  const blocks =
    calls.length === 0
      ? [{ type: "text", text: "done" }]
      : calls.map(({ tool, input }) => ({ type: "tool_use", id: newId("toolu"), name: tool, input }));
  const usage = {
    input_tokens: 1,
    output_tokens: 1,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const stop_reason = calls.length === 0 ? "end_turn" : "tool_use";
  const message = {
    id: newId("msg"),
    type: "message",
    role: "assistant",
    model: body.model,
    stop_sequence: null,
    usage,
  };
  if (body.stream !== true) return reply({ ...message, content: blocks, stop_reason });
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send("message_start", { message: { ...message, content: [], stop_reason: null } });
  for (const [index, block] of blocks.entries()) {
    const isText = block.type === "text";
    send("content_block_start", {
      index,
      content_block: isText ? { type: "text", text: "" } : { ...block, input: {} },
    });
    const delta = isText
      ? { type: "text_delta", text: "done" }
      : { type: "input_json_delta", partial_json: JSON.stringify("input" in block ? block.input : {}) };
    send("content_block_delta", { index, delta });
    send("content_block_stop", { index });
  }
  send("message_delta", { delta: { stop_reason, stop_sequence: null }, usage });
  send("message_stop", {});
  return response.end();
}
