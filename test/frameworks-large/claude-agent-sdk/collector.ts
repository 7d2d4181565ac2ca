/** The endpoint that everything is exported to, and what arrived there. */
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { type Report, readOtlp, type SpanView, verify } from "../../../src/verify/index.ts";
import { listen } from "./fake-model.ts";

/** An OTLP endpoint for JSON. */
export class Collector {
  readonly exports: object[] = [];
  /** While true, every export is answered with 503. */
  isDown = false;
  refusals = 0;
  url = "";
  readonly #server = createServer(async (request, response) => {
    const body = await text(request);
    if (this.isDown) {
      this.refusals += 1;
      response.writeHead(503).end();
      return;
    }
    if (request.url === "/v1/traces") this.exports.push(JSON.parse(body));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });

  async start(): Promise<this> {
    this.url = await listen(this.#server);
    return this;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  get spans(): readonly SpanView[] {
    return this.exports.flatMap((one) => readOtlp(one).spans);
  }

  get report(): Report {
    return verify(this.spans);
  }

  clear(): void {
    this.exports.length = 0;
  }
}

export const labelsOf = (span: SpanView | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(span?.attributes ?? {}).filter(([name]) => name.startsWith("trustabl.")));
