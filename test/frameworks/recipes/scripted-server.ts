/** The Messages API on loopback: for each model it asks for the calls of a script, one list after the other, and then answers. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Anthropic from "@anthropic-ai/sdk";

export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly input: Record<string, unknown>;
}

const scripts = new Map<string, (readonly ScriptedCall[])[]>();
let models = 0;

/** The name of a model that follows this script. */
export function scripted(...turns: readonly (readonly ScriptedCall[])[]): string {
  const model = `scripted-${models++}`;
  scripts.set(model, [...turns]);
  return model;
}

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  const { model, stream } = JSON.parse(body) as { model: string; stream?: boolean };
  const calls = scripts.get(model)?.shift();
  const content = calls?.map((call) => ({ type: "tool_use", ...call })) ?? [{ type: "text", text: "done" }];
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: calls === undefined ? "end_turn" : "tool_use",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  response.writeHead(200, { "content-type": stream === true ? "text/event-stream" : "application/json" });
  if (stream !== true) response.end(JSON.stringify(message));
  else
    for (const event of eventsOf(message))
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
});

function eventsOf(message: {
  content: { type: string; input?: unknown; text?: string }[];
  stop_reason: string;
}) {
  const blocks = message.content.flatMap((block, index) => [
    {
      type: "content_block_start",
      index,
      content_block: block.type === "text" ? { type: "text", text: "" } : { ...block, input: {} },
    },
    {
      type: "content_block_delta",
      index,
      delta:
        block.type === "text"
          ? { type: "text_delta", text: block.text }
          : { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
    },
    { type: "content_block_stop", index },
  ]);
  return [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    ...blocks,
    { type: "message_delta", delta: { stop_reason: message.stop_reason }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ];
}

await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
server.unref();

/** A client of the scripted server, whose spans show arguments, so that the verifier can compare. */
export const client: Anthropic = new Anthropic({
  apiKey: "none",
  baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  openTelemetry: { traces: { contentMode: "content" } },
});
