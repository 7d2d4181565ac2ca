/**
 * One attempt to hand an export to its endpoint.
 *
 * `node:http` and not `fetch`: connections are kept, counted and ended with the relay, and no redirect is ever
 * followed: the headers may hold credentials.
 *
 * @module
 */

import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { context, createContextKey } from "@opentelemetry/api";
import type { ContentType } from "../../otlp-receiver/index.ts";
import type { Target } from "./target.ts";

/** What is sent. */
export interface Parcel {
  readonly body: Uint8Array;
  readonly contentType: ContentType;
  /** True when `body` is compressed. */
  readonly gzip: boolean;
  /** Sent with this export only. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What the endpoint said. */
export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly contentType: string | undefined;
  /** Empty when it was too long, or broke off. */
  readonly body: Uint8Array;
}

/** The connections to one endpoint. */
export interface Connections {
  /** @throws {Error} of which only the `code` may be shown */
  post(parcel: Parcel): Promise<Answer>;
  /** Breaks off what is under way. */
  end(): void;
}

/** What is chosen per relay. */
export interface ConnectionSettings {
  readonly maxSockets: number;
  readonly attemptMilliseconds: number;
  /** Certificates to trust, for tests; else the target's, or those of Node.js and NODE_EXTRA_CA_CERTS. */
  readonly ca: string | undefined;
}

const LONGEST_ANSWER = 64 * 1024;
// The key that OpenTelemetry's instrumentations look at. Without it an application that traces its HTTP calls would
// get a span for every export.
const SUPPRESS_TRACING = createContextKey("OpenTelemetry SDK Context Key SUPPRESS_TRACING");

/** Prepares connections; none is opened before the first export. */
export function connectionsTo({ url, headers, tls }: Target, settings: ConnectionSettings): Connections {
  const { maxSockets, attemptMilliseconds, ca } = settings;
  const secure = url.protocol === "https:";
  const agent = secure
    ? new HttpsAgent({ keepAlive: true, maxSockets, ...tls, ...(ca === undefined ? {} : { ca }) })
    : new HttpAgent({ keepAlive: true, maxSockets });
  const running = new Set<() => void>();

  const attempt = ({ body, contentType, gzip, headers: own }: Parcel): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const request = (secure ? requestHttps : requestHttp)(url, {
        method: "POST",
        agent,
        headers: {
          "user-agent": "agent-reliability-otel-labels",
          ...withoutOurs(headers),
          ...own,
          "content-type": contentType,
          ...(gzip ? { "content-encoding": "gzip" } : {}),
          "content-length": body.length,
        },
      });
      const breakOff = (): void => {
        request.destroy(Object.assign(new Error("broken off"), { code: "ETIMEDOUT" }));
      };
      const timer = setTimeout(breakOff, attemptMilliseconds);
      running.add(breakOff);
      request.once("close", () => {
        clearTimeout(timer);
        running.delete(breakOff);
      });
      request.on("error", reject);
      request.once("response", (response) => {
        // The status decides: what breaks after it must not make the export be sent again.
        request.off("error", reject).on("error", () => {});
        void readAnswer(response).then(resolve);
      });
      request.end(body);
    });

  return {
    post: (parcel) => context.with(context.active().setValue(SUPPRESS_TRACING, true), () => attempt(parcel)),
    end() {
      for (const breakOff of running) breakOff();
      agent.destroy();
    },
  };
}

// What describes the body is not for others to say.
const OURS = [
  "content-type",
  "content-encoding",
  "content-length",
  "transfer-encoding",
  "connection",
  "expect",
];

const withoutOurs = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OURS.includes(name)));

// Never rejects.
function readAnswer(response: IncomingMessage): Promise<Answer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const done = (body: Uint8Array): void =>
      resolve({
        status: response.statusCode ?? 0,
        retryAfter: response.headers["retry-after"],
        contentType: response.headers["content-type"],
        body,
      });
    response.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= LONGEST_ANSWER) chunks.push(chunk);
      else response.destroy();
    });
    response.once("end", () => done(Buffer.concat(chunks)));
    response.on("error", () => {});
    response.once("close", () => done(new Uint8Array()));
  });
}
