/** The two SDKs behind one face: what the tests need of them. */
import { createServer, type Server as HttpServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import {
  Client as Client2,
  StreamableHTTPClientTransport as HttpClient2,
  InMemoryTransport as InMemory2,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpClient1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport as InMemory1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as McpServer1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport as HttpServer1 } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createMcpHandler, McpServer as McpServer2 } from "@modelcontextprotocol/server";
import { McpInstrumentation } from "@traceloop/instrumentation-mcp";
import { registerTools } from "./tools.mjs";
import { provider } from "./tracing.ts";

/** What both servers have. */
export interface AnyServer {
  readonly server: object;
  // biome-ignore lint/suspicious/noExplicitAny: the SDKs have different types here
  registerTool(...parameters: any[]): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: the SDKs have different types here
  connect(transport: any): Promise<void>;
}

export interface Options {
  readonly signal?: AbortSignal;
  readonly timeout?: number;
}

/** What both clients have. */
export interface AnyClient {
  // biome-ignore lint/suspicious/noExplicitAny: the SDKs have different types here
  connect(transport: any, ...rest: any[]): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: the SDKs have different types here
  request(...parameters: any[]): Promise<any>;
  listTools(): Promise<unknown>;
  close(): Promise<void>;
  readonly transport?: unknown;
}

export interface Sdk {
  readonly row: string;
  newClient(): AnyClient;
  newServer(): AnyServer;
  /** Two ends of a connection in memory: the client's, the server's. */
  inMemory(): readonly [object, object];
  stdio(): object;
  call(client: AnyClient, name: string, args?: object, options?: Options): Promise<Record<string, unknown>>;
  /** Serves over streamable HTTP with what `prepare` makes of a new server; gives the client's transport. */
  http(prepare: (server: AnyServer) => void): Promise<{ transport: object; close(): void }>;
}

const info = { name: "demo", version: "1" };
const stdio = (sdk: string) => ({
  command: process.execPath,
  args: [fileURLToPath(new URL("stdio-server.mjs", import.meta.url)), sdk],
});

async function listen(listener: RequestListener): Promise<{ url: URL; close(): void }> {
  const server: HttpServer = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`), close };
}

const sdk1: Sdk = {
  row: "MCP SDK 1, Traceloop",
  newClient: () => new Client1(info) as AnyClient,
  newServer: () => new McpServer1(info),
  inMemory: () => InMemory1.createLinkedPair(),
  stdio: () => new Stdio1(stdio("1")),
  call: (client, name, args, options) =>
    (client as unknown as Client1).callTool({ name, arguments: args as never }, undefined, options),
  http: async (prepare) => {
    const { url, close } = await listen(async (request, response) => {
      if (request.method !== "POST") {
        response.writeHead(405).end();
        return;
      }
      const server = new McpServer1(info);
      prepare(server as AnyServer);
      const transport = new HttpServer1({ sessionIdGenerator: undefined } as never);
      response.on("close", () => void transport.close());
      await server.connect(transport as never);
      await transport.handleRequest(request, response);
    });
    return { transport: new HttpClient1(url), close };
  },
};

const sdk2: Sdk = {
  row: "MCP SDK 2, Traceloop",
  newClient: () => new Client2(info, { versionNegotiation: { mode: "auto" } }) as unknown as AnyClient,
  newServer: () => new McpServer2(info) as unknown as AnyServer,
  inMemory: () => InMemory2.createLinkedPair(),
  stdio: () => new Stdio2(stdio("2")),
  call: (client, name, args, options) =>
    (client as unknown as Client2).callTool({ name, arguments: args as never }, options) as never,
  http: async (prepare) => {
    const handler = createMcpHandler(() => {
      const server = new McpServer2(info);
      prepare(server as unknown as AnyServer);
      return server;
    });
    const { url, close } = await listen(toNodeHandler(handler) as RequestListener);
    return { transport: new HttpClient2(url), close };
  },
};

export const SDKS: readonly Sdk[] = [sdk1, sdk2];

/** Instruments both SDKs, as an application does it once. */
export function instrumentClients(): void {
  const instrumentation = new McpInstrumentation();
  instrumentation.setTracerProvider(provider);
  instrumentation.manuallyInstrument({ Client: Client1 });
  instrumentation.manuallyInstrument({ Client: Client2 });
}

/** A client and a server with the tools, connected in memory. */
export async function connected(sdk: Sdk, client: AnyClient, server = sdk.newServer()): Promise<AnyClient> {
  registerTools(server);
  const [clientSide, serverSide] = sdk.inMemory();
  await server.connect(serverSide);
  await client.connect(clientSide);
  return client;
}
