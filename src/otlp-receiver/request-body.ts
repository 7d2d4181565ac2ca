/**
 * The body of a request, decompressed, within limits. Clients are not trusted: neither the length they announce nor
 * what a small body unfolds to.
 *
 * @module
 */
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip, inflate } from "node:zlib";
import type { MemoryBudget } from "./memory-budget.ts";
import { Refusal } from "./refusal.ts";

type Decompress = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const DECOMPRESSORS: Readonly<Record<string, Decompress | undefined>> = {
  __proto__: null as never,
  gzip: promisify(gunzip) as Decompress,
  deflate: promisify(inflate) as Decompress,
};

/**
 * Reads and decompresses the body.
 *
 * @param limit bytes, before and after decompression
 * @throws {Refusal}
 */
export async function readBody(
  request: IncomingMessage,
  limit: number,
  budget: MemoryBudget,
): Promise<{ readonly body: Buffer; readonly compressed: boolean }> {
  const encoding = request.headers["content-encoding"]?.trim().toLowerCase() || "identity";
  const decompress = DECOMPRESSORS[encoding];
  if (decompress === undefined && encoding !== "identity") throw new Refusal("bad_content_encoding");
  const body = await readAll(request, limit, budget);
  if (decompress === undefined) return { body, compressed: false };
  // Zlib stops as soon as its output is longer than this; it never holds what a bomb would unfold to.
  const unfolded = await decompress(body, { maxOutputLength: limit }).catch((error: { code?: unknown }) => {
    throw new Refusal(error.code === "ERR_BUFFER_TOO_LARGE" ? "too_large" : "bad_compression");
  });
  budget.take(unfolded.length);
  return { body: unfolded, compressed: true };
}

// Listeners and not `for await`: leaving such a loop destroys the request, and with it the connection on which the
// refusal has to be answered.
function readAll(request: IncomingMessage, limit: number, budget: MemoryBudget): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    if (Number(request.headers["content-length"]) > limit) return reject(new Refusal("too_large"));
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      try {
        if (length > limit) throw new Refusal("too_large");
        budget.take(chunk.length);
        chunks.push(chunk);
      } catch (refusal) {
        request.off("data", take);
        reject(refusal);
      }
    };
    request.on("data", take);
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", () => reject(new Refusal("cut_off")));
    request.once("close", () => reject(new Refusal("cut_off")));
  });
}
