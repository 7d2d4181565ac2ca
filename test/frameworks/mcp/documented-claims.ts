import type { McpServer as McpServer1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { inputRequired, type McpServer as McpServer2 } from "@modelcontextprotocol/server";
import { mediatedHandler } from "agent-reliability-otel-labels/mcp";
import { z } from "zod";
import { addComment, mediated } from "./documented-mediation.ts";

const shown = mediated.shown.add_comment;
const { description } = shown;

export const registerOnSdk2 = (server: McpServer2) =>
  server.registerTool(
    "add_comment",
    { description, inputSchema: shown },
    mediatedHandler(mediated, "add_comment", addComment, { inputRequired }),
  );

export const registerOnSdk1 = (server: McpServer1) =>
  server.registerTool(
    "add_comment",
    { description, inputSchema: z.looseObject({}).meta(shown.jsonSchema("mcp")) },
    mediatedHandler(mediated, "add_comment", addComment, {
      elicit: (form, { requestId }: { requestId: string | number }) =>
        server.server.elicitInput(form, { relatedRequestId: requestId }),
    }),
  );
