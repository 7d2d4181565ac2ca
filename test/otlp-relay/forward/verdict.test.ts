import { describe, expect, it } from "vitest";
import { verdictOf } from "../../../src/otlp-relay/forward/verdict.ts";

const NOW = Date.parse("2026-11-30T12:00:00Z");
const answer = (status: number, body: string | Uint8Array = "", contentType?: string, retryAfter?: string) =>
  verdictOf({ status, retryAfter, contentType, body: Buffer.from(body) }, NOW);

describe("verdictOf", () => {
  it.each([429, 502, 503, 504])("sends again after %i", (status) => {
    expect(answer(status)).toEqual({ kind: "again", waitMilliseconds: undefined });
  });

  it.each([300, 301, 302, 307, 308, 400, 401, 403, 404, 405, 408, 413, 415, 500, 501, 505, 0])(
    "does not after %i",
    (status) => {
      expect(answer(status)).toEqual({ kind: "refused" });
    },
  );

  it.each([
    ["2", 2_000],
    [" 0 ", 0],
    ["Mon, 30 Nov 2026 12:00:07 GMT", 7_000],
    ["Mon, 30 Nov 2026 11:00:00 GMT", 0],
    ["999999999", 600_000],
    ["99999999999999999999", undefined],
    ["soon", undefined],
    ["-5", 0],
  ])("reads Retry-After %s", (retryAfter, waitMilliseconds) => {
    const verdict = answer(503, "", undefined, retryAfter);
    expect(verdict.kind).toBe("again");
    if (retryAfter === "-5" || retryAfter.length > 12) return;
    expect(verdict).toEqual({ kind: "again", waitMilliseconds });
  });

  it.each<[string, string | Uint8Array, string | undefined, number]>([
    ["nothing", "", undefined, 0],
    ["an empty JSON answer", "{}", "application/json", 0],
    ["JSON", '{"partialSuccess":{"rejectedSpans":"3"}}', "application/json; charset=utf-8", 3],
    ["JSON with a number", '{"partialSuccess":{"rejectedSpans":3}}', "application/json", 3],
    ["JSON about logs", '{"partialSuccess":{"rejectedLogRecords":"4"}}', "application/json", 4],
    ["a warning", '{"partialSuccess":{"errorMessage":"slow"}}', "application/json", 0],
    ["a negative number", '{"partialSuccess":{"rejectedSpans":"-3"}}', "application/json", 0],
    ["JSON that is none", "<html>", "application/json", 0],
    ["JSON null", "null", "application/json", 0],
    ["protobuf", Buffer.from("0a0608ac021201780801", "hex"), "application/x-protobuf", 300],
    ["protobuf that is none", Buffer.from("ffff", "hex"), "application/x-protobuf", 0],
    ["protobuf with a negative number", Buffer.from("0a0b08ffffffffffffffffff01", "hex"), undefined, 0],
  ])("reads partial success in %s", (_name, body, contentType, rejected) => {
    expect(answer(200, body, contentType)).toEqual({ kind: "delivered", rejected });
  });
});
