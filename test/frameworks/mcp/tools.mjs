// The tools of the test servers, for both SDKs, in this process and in one of their own. Plain JavaScript, since the stdio
// server is started by Node.js itself.
import { z } from "zod";

const text = (value) => ({ content: [{ type: "text", text: value }] });

/** Registers the tools. Each result of `search` is another, so that a span that captured it can be told from the rest. */
export function registerTools(server) {
  let searches = 0;
  const query = { inputSchema: z.object({ q: z.string() }) };
  server.registerTool("search", { ...query, annotations: { readOnlyHint: true } }, async ({ q }) => {
    const search = ++searches;
    // Later calls are answered first.
    await new Promise((resolve) => setTimeout(resolve, search % 2 === 0 ? 0 : 5));
    return { ...text(`#${q}-${search}#`), structuredContent: { search }, _meta: { at: search } };
  });
  server.registerTool("find_nothing", query, async () => ({
    ...text("none"),
    structuredContent: { found: [] },
  }));
  server.registerTool("throw", { ...query, annotations: { destructiveHint: true } }, async () => {
    throw Object.assign(new Error("no"), { status: 503 });
  });
  server.registerTool("refuse", query, async () => ({ ...text("not yours"), isError: true }));
  server.registerTool("wait", query, () => new Promise(() => {}));
  server.registerTool("ping", {}, async () => text("pong"));
}
