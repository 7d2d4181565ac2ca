/** A server with three tools, in a process of its own. The first of October is sold out. */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "travel", version: "1.0.0" });
const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });

server.registerTool(
  "search_flights",
  { inputSchema: { to: z.string(), date: z.string() } },
  ({ to, date }) => {
    const flights = date === "2026-10-01" ? [] : [`BA117 to ${to}`];
    return { ...text(flights.join("\n")), structuredContent: { flights } };
  },
);
server.registerTool("book_flight", { inputSchema: { flight: z.string() } }, ({ flight }) =>
  text(`${flight} is booked`),
);
server.registerTool(
  "check_visa",
  { inputSchema: { country: z.string() } },
  () => new Promise<never>(() => {}),
);

await server.connect(new StdioServerTransport());
