/**
 * The Model Context Protocol: clients and servers of the TypeScript SDKs 1 and 2. Nothing of them is imported, not even a
 * type.
 *
 * @module
 */
export type { McpToolDefinition, McpToolDefinitions, McpToolResult } from "./mcp/definition.ts";
export { type LabelClientOptions, labelClient, type McpClient } from "./mcp/label-client.ts";
export { labelServer, type McpServer } from "./mcp/label-server.ts";
export { type McpMediatedOptions, mediatedHandler } from "./mcp/mediated-handler.ts";
export type { McpReviewForm, McpReviewOptions } from "./mcp/review.ts";
