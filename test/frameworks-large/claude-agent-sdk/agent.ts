/** The real SDK and its command line, cut off from everything but loopback. */
import { EventEmitter } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSdkMcpServer, type Options, type SDKMessage, tool } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";

/** Emits `lookup` when that tool starts. */
export const started = new EventEmitter();

/** An in-process MCP server; `delay` makes calls overlap. */
export const demoServer = () =>
  createSdkMcpServer({
    name: "demo",
    tools: [
      tool(
        "lookup",
        "Looks something up.",
        { q: z.string(), delay: z.number().optional() },
        async ({ q, delay }) => {
          started.emit("lookup");
          await new Promise((done) => setTimeout(done, delay ?? 0));
          return { content: [{ type: "text", text: `found ${q}` }] };
        },
        { annotations: { readOnlyHint: true } },
      ),
      tool("broken", "Throws.", { q: z.string() }, async () => {
        throw new Error("no such thing");
      }),
      tool("failing", "Returns a failure.", { q: z.string() }, async () => ({
        isError: true,
        content: [{ type: "text", text: "not today" }],
      })),
    ],
  });

/** A folder for the command line, and the environment in which it reaches nothing but the model. */
export function hermetic(modelUrl: string): { options(): Options; remove(): void } {
  const home = mkdtempSync(join(tmpdir(), "agent-home-"));
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: home,
    CLAUDE_CONFIG_DIR: home,
    CLAUDE_CODE_TMPDIR: home,
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: "none",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  };
  // An in-process server talks to one query at a time.
  const options = (): Options => ({
    env,
    cwd: home,
    model: "claude-sonnet-4-5",
    settingSources: [],
    persistSession: false,
    maxTurns: 20,
    mcpServers: { demo: demoServer() },
    allowedTools: ["mcp__demo", "Agent", "Task", "Bash"],
  });
  return { options, remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 3 }) };
}

/** Reads a query to its end. */
export async function readAll(query: AsyncIterable<SDKMessage>): Promise<SDKMessage[]> {
  const messages: SDKMessage[] = [];
  for await (const message of query) messages.push(message);
  return messages;
}

export const resultOf = (messages: readonly SDKMessage[]) =>
  messages.findLast((message) => message.type === "result");
