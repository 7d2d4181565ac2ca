/** An endpoint that answers as a script says, and keeps what it was sent. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { decodeTraceRequest } from "../../../src/otlp-receiver/protobuf/decode.ts";
import { readOtlp } from "../../../src/verify/read/read-otlp.ts";

export interface SentExport {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Decompressed. */
  readonly body: Buffer;
  /** When it was there, in milliseconds. */
  readonly at: number;
}

/** What one request is answered with; a function may do what it likes with the response. */
export type ScriptedAnswer =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string | Buffer }
  | ((response: ServerResponse, sent: SentExport) => void);

export interface Endpoint {
  readonly url: string;
  readonly port: number;
  readonly sent: readonly SentExport[];
  /** Bodies that were answered with 200. */
  readonly taken: readonly SentExport[];
  close(): Promise<void>;
}

const OK: ScriptedAnswer = { status: 200 };

/** Starts it. The script's answers are given one by one, then `afterwards`. */
export async function startEndpoint(
  script: readonly ScriptedAnswer[] = [],
  {
    afterwards = OK,
    port = 0,
    secure,
  }: { afterwards?: ScriptedAnswer; port?: number; secure?: { key: string; cert: string } } = {},
): Promise<Endpoint> {
  const sent: SentExport[] = [];
  const taken: SentExport[] = [];
  let next = 0;
  const server: Server = secure ? (createSecureServer(secure) as unknown as Server) : createServer();
  server.on("request", (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const raw = Buffer.concat(chunks);
      const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(raw) : raw;
      const one = { path: request.url ?? "", headers: request.headers, body, at: performance.now() };
      sent.push(one);
      const answer = script[next] ?? afterwards;
      next += 1;
      if (typeof answer === "function") return answer(response, one);
      if (answer.status === 200) taken.push(one);
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const chosen = (server.address() as AddressInfo).port;
  return {
    url: `${secure ? "https" : "http"}://127.0.0.1:${chosen}`,
    port: chosen,
    sent,
    taken,
    async close() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** The spans of an export, whichever encoding it is in. */
export function spansOf({ headers, body }: SentExport) {
  const isJson = headers["content-type"] === "application/json";
  const { spans, problems } = readOtlp(isJson ? JSON.parse(body.toString()) : decodeTraceRequest(body));
  if (problems.length > 0) throw new Error("the export cannot be read");
  return spans;
}
