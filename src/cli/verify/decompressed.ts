/**
 * Decompression by the first bytes: names of files are not to be relied on, and standard input has none.
 *
 * @module
 */
import { Readable } from "node:stream";
import * as zlib from "node:zlib";

const MAGIC_LENGTH = 4;

/** The bytes, decompressed when they are gzip, or zstd where this Node can. Anything else comes through as it is. */
export async function* decompressed(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const all = chunks[Symbol.asyncIterator]();
  const start: Uint8Array[] = [];
  let length = 0;
  while (length < MAGIC_LENGTH) {
    const { value, done } = await all.next();
    if (done === true) break;
    start.push(value);
    length += value.length;
  }
  const together = async function* (): AsyncGenerator<Uint8Array> {
    yield* start;
    yield* { [Symbol.asyncIterator]: () => all };
  };
  const decoder = decoderFor(Buffer.concat(start.map((chunk) => chunk.subarray(0, MAGIC_LENGTH))));
  if (decoder === undefined) {
    yield* together();
    return;
  }
  const source = Readable.from(together(), { objectMode: false });
  source.once("error", (error) => decoder.destroy(error));
  for await (const chunk of source.pipe(decoder)) yield chunk as Uint8Array;
}

function decoderFor(magic: Uint8Array): zlib.Gunzip | undefined {
  if (magic[0] === 0x1f && magic[1] === 0x8b) return zlib.createGunzip();
  const isZstd = magic[0] === 0x28 && magic[1] === 0xb5 && magic[2] === 0x2f && magic[3] === 0xfd;
  // Node has zstd from 22.15 on; the types are those of the oldest Node that is supported.
  const { createZstdDecompress } = zlib as { createZstdDecompress?: () => zlib.Gunzip };
  return isZstd ? createZstdDecompress?.() : undefined;
}
