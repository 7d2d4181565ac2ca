// A server on stdio: `node stdio-server.mjs 1` or `2`, the SDK.
import { registerTools } from "./tools.mjs";

const info = { name: "demo", version: "1" };
const { McpServer } =
  process.argv[2] === "1"
    ? await import("@modelcontextprotocol/sdk/server/mcp.js")
    : await import("@modelcontextprotocol/server");
const { StdioServerTransport } =
  process.argv[2] === "1"
    ? await import("@modelcontextprotocol/sdk/server/stdio.js")
    : await import("@modelcontextprotocol/server/stdio");
const server = new McpServer(info);
registerTools(server);
await server.connect(new StdioServerTransport());
