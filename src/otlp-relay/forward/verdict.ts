/**
 * What an endpoint's answer means for the export: delivered, refused, or to be sent again.
 *
 * @module
 */
import { WIRE_TYPE, WireReader } from "../../otlp-receiver/protobuf/wire-reader.ts";
import { readInteger } from "../../verify/read/otlp-numbers.ts";
import type { Answer } from "./post.ts";

/** What becomes of an export. */
export type Verdict =
  | {
      readonly kind: "delivered";
      /** Records that the endpoint did not take. */
      readonly rejected: number;
    }
  | { readonly kind: "refused" }
  | {
      readonly kind: "again";
      /** How long the endpoint asked to wait. */
      readonly waitMilliseconds: number | undefined;
    };

// As OTLP lists them. Every other 4xx and 5xx is final.
const RETRYABLE = [429, 502, 503, 504];
// An endpoint that asks for more is as good as gone, and what waits for it would fill the queue.
const LONGEST_WAIT_MILLISECONDS = 10 * 60_000;

/** Reads an answer. Never throws: whatever an endpoint writes, its status stands. */
export function verdictOf(answer: Answer, now: number): Verdict {
  if (answer.status >= 200 && answer.status < 300) {
    return { kind: "delivered", rejected: rejectedRecords(answer) };
  }
  return RETRYABLE.includes(answer.status)
    ? { kind: "again", waitMilliseconds: waitOf(answer.retryAfter, now) }
    : { kind: "refused" };
}

// Seconds, or a date.
function waitOf(retryAfter: string | undefined, now: number): number | undefined {
  if (retryAfter === undefined) return undefined;
  const text = retryAfter.trim();
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), LONGEST_WAIT_MILLISECONDS) : undefined;
}

/** `partial_success` of the answer: how many records were rejected. */
function rejectedRecords({ contentType, body }: Answer): number {
  try {
    const isJson = contentType?.includes("json") ?? false;
    const rejected = isJson ? rejectedInJson(body) : rejectedInProtobuf(body);
    return Math.max(0, rejected);
  } catch {
    return 0;
  }
}

function rejectedInJson(body: Uint8Array): number {
  const partial = JSON.parse(new TextDecoder().decode(body)).partialSuccess;
  const { rejectedSpans, rejectedDataPoints, rejectedLogRecords, rejectedProfiles } = partial ?? {};
  const rejected = rejectedSpans ?? rejectedDataPoints ?? rejectedLogRecords ?? rejectedProfiles;
  return Number(readInteger(rejected) ?? 0);
}

// In the answer of every signal, field 1 is the message about partial success, and field 1 of that the number.
function rejectedInProtobuf(body: Uint8Array): number {
  const reader = new WireReader(body);
  let rejected = 0;
  while (!reader.done) {
    const tag = reader.tag();
    if (tag !== 8 + WIRE_TYPE.delimited) {
      reader.skip(tag & 7);
      continue;
    }
    const around = reader.enter();
    while (!reader.done) {
      const inner = reader.tag();
      if (inner === 8 + WIRE_TYPE.varint) rejected = Number(BigInt.asIntN(64, reader.varint()));
      else reader.skip(inner & 7);
    }
    reader.leave(around);
  }
  return rejected;
}
