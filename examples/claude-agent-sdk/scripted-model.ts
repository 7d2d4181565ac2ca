/** Stand-ins on this machine for what a real program has elsewhere: the model, and the collector of its spans. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

async function listen(listener: RequestListener): Promise<{ url: string; close(): void }> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

type Call = { readonly name: string; readonly input: object };

/** A Messages API that makes these calls, one answer after the other, and then says "done". */
export function startModel(script: readonly (readonly Call[])[]) {
  return listen(async (request, response) => {
    const { model, messages } = (await json(request)) as { model: string; messages: { role: string }[] };
    const turn = messages.filter(({ role }) => role === "assistant").length;
    const calls = script[turn] ?? [];
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (type: string, data: object) =>
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: `msg_${turn}`, type: "message", role: "assistant", model, content: [], usage };
    send("message_start", { message });
    const blocks = calls.map(({ name, input }, index) => ({
      start: { type: "tool_use", id: `toolu_${turn}_${index}`, name, input: {} },
      delta: { type: "input_json_delta", partial_json: JSON.stringify(input) },
    }));
    const text = { start: { type: "text", text: "" }, delta: { type: "text_delta", text: "done" } };
    for (const [index, { start, delta }] of (blocks.length > 0 ? blocks : [text]).entries()) {
      send("content_block_start", { index, content_block: start });
      send("content_block_delta", { index, delta });
      send("content_block_stop", { index });
    }
    const delta = { stop_reason: calls.length > 0 ? "tool_use" : "end_turn" };
    send("message_delta", { delta, usage });
    send("message_stop", {});
    response.end();
  });
}

/** An OTLP endpoint that keeps what arrives. */
export async function startCollector() {
  const exports: object[] = [];
  const server = await listen(async (request, response) => {
    exports.push((await json(request)) as object);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  return { ...server, exports };
}
