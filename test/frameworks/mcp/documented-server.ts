/** The server of the documented client. */
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";

const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
const server = new McpServer({ name: "flights", version: "1.0.0" });
const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
server.registerTool("search_flights", { inputSchema: { to: z.string() } }, ({ to }) => text(`LHR-${to}`));
server.registerTool("book_flight", { inputSchema: { flight: z.string() } }, ({ flight }) => text(flight));
await server.connect(serverSide);

export const transport: InMemoryTransport = clientSide;
