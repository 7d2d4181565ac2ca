/** A server with one tool, and a client that can be asked, in each way in which the two SDKs connect them. */
import {
  Client as Client2,
  InMemoryTransport as InMemory2,
  type Transport,
} from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as InMemory1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as McpServer1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import {
  createRequestStateCodec,
  inputRequired,
  McpServer as McpServer2,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { McpReviewOptions } from "../../../src/adapters/mcp.ts";
import type { ShownTool } from "../../../src/claims/index.ts";
import { type AnyServer, SDKS, type Sdk } from "./sdks.ts";

/** What the model gets: the text of the result, and whether it is an error. */
export interface Told {
  readonly text: string;
  readonly isError: boolean;
}

export interface Connection {
  call(name: string, args: object): Promise<Told>;
  /** What the client shows the model. */
  list(): Promise<{ name: string; description?: string | undefined; inputSchema: object }[]>;
  close(): Promise<void>;
}

/** How a client answers a form: a person, or nobody. */
export type Answer = (message: string) => unknown;

export interface Way {
  readonly name: string;
  /** What is shown, as this SDK takes it. */
  schemaOf(shown: Pick<ShownTool, "jsonSchema" | "~standard">): unknown;
  /** How a handler of this server asks. */
  reviewOf(server: AnyServer): McpReviewOptions<never>;
  connect(register: (server: AnyServer) => void, answer: Answer): Promise<Connection>;
}

const info = { name: "triage", version: "1" };
const capabilities = { elicitation: { form: {} } };

const toldOf = (result: unknown): Told => {
  const { content, isError } = result as { content: { text: string }[]; isError?: boolean };
  return { text: content.map(({ text }) => text).join("\n"), isError: isError === true };
};

const sdk1: Way = {
  name: "SDK 1",
  schemaOf: (shown) => z.looseObject({}).meta(shown.jsonSchema("mcp")),
  reviewOf: (server) => ({
    elicit: (form, extra: { requestId: number }) =>
      (server as unknown as McpServer1).server.elicitInput(form, { relatedRequestId: extra.requestId }),
  }),
  async connect(register, answer) {
    const server = new McpServer1(info);
    register(server as unknown as AnyServer);
    const client = new Client1(info, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message) as never);
    const [clientSide, serverSide] = InMemory1.createLinkedPair();
    await server.connect(serverSide);
    await client.connect(clientSide);
    return {
      call: async (name, args) => toldOf(await client.callTool({ name, arguments: args as never })),
      list: async () => (await client.listTools()).tools,
      close: () => client.close(),
    };
  },
};

const codec = createRequestStateCodec<string>({ key: "k".repeat(32) });

const sdk2Client = (answer: Answer) => {
  const client = new Client2(info, { versionNegotiation: { mode: "auto" }, capabilities });
  client.setRequestHandler(
    "elicitation/create",
    ({ params }) => answer((params as { message: string }).message) as never,
  );
  return client;
};
const connectionOf = (client: Client2, close: () => void): Connection => ({
  call: async (name, args) => toldOf(await client.callTool({ name, arguments: args as never })),
  list: async () => (await client.listTools()).tools as never,
  close: async () => {
    await client.close();
    close();
  },
});

const sdk2: Omit<Way, "name" | "connect"> = {
  schemaOf: (shown) => shown,
  reviewOf: () => ({ inputRequired }),
};

const modern: Way = {
  ...sdk2,
  name: "SDK 2",
  async connect(register, answer) {
    const served = await (SDKS[1] as Sdk).http(register);
    const client = sdk2Client(answer);
    await client.connect(served.transport as Transport);
    return connectionOf(client, served.close);
  },
};

const older: Way = {
  ...sdk2,
  name: "SDK 2 with a client of an older protocol, and sealed state",
  reviewOf: () => ({
    inputRequired,
    sealState: (state: string, extra: never) => codec.mint(state, extra),
  }),
  async connect(register, answer) {
    const server = new McpServer2(info, { requestState: { verify: codec.verify } } as never);
    register(server as unknown as AnyServer);
    const client = sdk2Client(answer);
    const [clientSide, serverSide] = InMemory2.createLinkedPair();
    await server.connect(serverSide);
    await client.connect(clientSide);
    return connectionOf(client, () => {});
  },
};

export const WAYS: readonly Way[] = [sdk1, modern, older];
