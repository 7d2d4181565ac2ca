import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { JsonTraceSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { decodeTraceRequest } from "../../../src/otlp-receiver/protobuf/decode.ts";
import { ProtobufError } from "../../../src/otlp-receiver/protobuf/protobuf-error.ts";
import { encodeMessage } from "../../../src/otlp-receiver/protobuf/wire-writer.ts";
import { readOtlp } from "../../../src/verify/read/read-otlp.ts";

/** What an SDK's exporter sends for spans that have everything a span can have. */
function exported(): { protobuf: Uint8Array; json: Uint8Array } {
  const memory = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(memory)] });
  const tracer = provider.getTracer("scope", "1.2.3");
  const root = tracer.startSpan("root é 漢 😀", { kind: SpanKind.SERVER });
  const child = tracer.startSpan(
    "child",
    { kind: SpanKind.CLIENT, links: [{ context: root.spanContext(), attributes: { link: true } }] },
    undefined,
  );
  child.setAttributes({
    text: "value",
    empty: "",
    yes: true,
    no: false,
    zero: 0,
    minus: -7,
    large: Number.MAX_SAFE_INTEGER,
    small: Number.MIN_SAFE_INTEGER,
    fraction: 0.1,
    huge: 1e300,
    notANumber: Number.NaN,
    infinite: Number.POSITIVE_INFINITY,
    texts: ["a", "b"],
    numbers: [1, 2.5, -3],
    flags: [true, false],
    none: [],
    ["__proto__"]: "data",
  });
  child.addEvent("trustabl.policy.binding", { "trustabl.policy.binding.required": true });
  child.setStatus({ code: SpanStatusCode.ERROR, message: "no seats" });
  child.end();
  root.end();
  const spans = memory.getFinishedSpans();
  const protobuf = ProtobufTraceSerializer.serializeRequest(spans);
  const json = JsonTraceSerializer.serializeRequest(spans);
  if (protobuf === undefined || json === undefined) throw new Error("the serializers gave nothing");
  return { protobuf, json };
}

let protobuf: Uint8Array;
let json: Uint8Array;
beforeAll(() => {
  ({ protobuf, json } = exported());
});

const codeOf = (bytes: Uint8Array): string => {
  try {
    decodeTraceRequest(bytes);
    return "read";
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    return error.code;
  }
};

/** A message inside messages, by their field numbers from the outside. */
const nested = (inner: Uint8Array, ...numbers: number[]): Uint8Array =>
  numbers.reduceRight((message, number) => encodeMessage({ [number]: message }), inner);

describe("decodeTraceRequest", () => {
  it("gives the spans that the same SDK sends as JSON", () => {
    const fromProtobuf = readOtlp(decodeTraceRequest(protobuf));
    const fromJson = readOtlp(json);
    expect(fromProtobuf.problems).toEqual([]);
    expect(fromProtobuf.spans).toHaveLength(2);
    // JSON of the JavaScript exporter writes numbers that JSON does not have as null, so infinity is lost there.
    const spans = fromJson.spans.map(({ position: _line, ...span }) => ({
      ...span,
      attributes: { ...span.attributes, ...(span.name === "child" ? { infinite: Infinity } : {}) },
    }));
    expect(
      fromProtobuf.spans.map(({ position: _none, ...span }) => ({
        ...span,
        attributes: { ...span.attributes },
      })),
    ).toEqual(spans);
  });

  it("gives fields that spans are not made of, such as links and versions", () => {
    expect(decodeTraceRequest(protobuf)).toMatchObject({
      resourceSpans: [
        {
          scopeSpans: [
            {
              scope: { name: "scope", version: "1.2.3" },
              spans: [
                {
                  kind: 3,
                  status: { code: 2, message: "no seats" },
                  links: [{ traceId: expect.stringMatching(/^[0-9a-f]{32}$/) }],
                },
                { kind: 2 },
              ],
            },
          ],
        },
      ],
    });
  });

  it("reads an empty body as an empty export", () => {
    expect(decodeTraceRequest(new Uint8Array())).toEqual({});
  });

  it("reads from the middle of a larger buffer", () => {
    const padded = new Uint8Array(protobuf.length + 20).fill(0xff);
    padded.set(protobuf, 7);
    expect(decodeTraceRequest(padded.subarray(7, 7 + protobuf.length))).toEqual(decodeTraceRequest(protobuf));
  });

  it("merges a message that was sent in two parts", () => {
    const status = Buffer.concat([
      encodeMessage({ 15: encodeMessage({ 3: 2 }) }),
      encodeMessage({ 15: encodeMessage({ 2: "late" }) }),
    ]);
    expect(decodeTraceRequest(nested(status, 1, 2, 2))).toEqual({
      resourceSpans: [{ scopeSpans: [{ spans: [{ status: { code: 2, message: "late" } }] }] }],
    });
  });

  it("takes the last of the kinds that a value was given", () => {
    const value = Buffer.concat([encodeMessage({ 1: "text" }), encodeMessage({ 3: 7 })]);
    expect(decodeTraceRequest(nested(value, 1, 1, 1, 2))).toEqual({
      resourceSpans: [{ resource: { attributes: [{ value: { intValue: "7" } }] } }],
    });
  });

  it("reads 64-bit integers to the last digit", () => {
    const span = (bytes: number[]) => nested(Uint8Array.from(bytes), 1, 1, 1, 2);
    const minusOne = [0x18, ...Array(9).fill(0xff), 0x01];
    const largest = [0x18, ...Array(8).fill(0xff), 0x7f];
    expect(JSON.stringify(decodeTraceRequest(span(minusOne)))).toContain('"intValue":"-1"');
    expect(JSON.stringify(decodeTraceRequest(span(largest)))).toContain('"intValue":"9223372036854775807"');
  });

  it("replaces bytes that are not UTF-8 and keeps the span", () => {
    const name = Buffer.from([0x2a, 2, 0xc3, 0x28]);
    expect(decodeTraceRequest(nested(name, 1, 2, 2))).toEqual({
      resourceSpans: [{ scopeSpans: [{ spans: [{ name: "\ufffd(" }] }] }],
    });
  });

  it("skips fields it does not know, at every level and of every wire type", () => {
    const unknown = Buffer.concat([
      Buffer.from([0xf8, 0x7f, 0x85, 0x01]), // 2047: varint
      Buffer.from([0xf9, 0x7f, 1, 2, 3, 4, 5, 6, 7, 8]), // 64 bits
      Buffer.from([0xfa, 0x7f, 3, 0xff, 0xff, 0xff]), // bytes
      Buffer.from([0xfd, 0x7f, 1, 2, 3, 4]), // 32 bits
    ]);
    const name = Buffer.concat([unknown, encodeMessage({ 5: "known" }), unknown]);
    expect(decodeTraceRequest(Buffer.concat([unknown, nested(name, 1, 2, 2), unknown]))).toEqual({
      resourceSpans: [{ scopeSpans: [{ spans: [{ name: "known" }] }] }],
    });
  });

  it("takes a field of another wire type for one it does not know", () => {
    expect(decodeTraceRequest(nested(encodeMessage({ 5: 1 }), 1, 2, 2))).toEqual({
      resourceSpans: [{ scopeSpans: [{ spans: [{}] }] }],
    });
  });

  it.each([
    ["a length beyond the end", [0x0a, 0x7f, 0x00], "truncated"],
    ["a length of four gigabytes", [0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f], "truncated"],
    ["a length that does not end", [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], "malformed"],
    ["a varint of eleven bytes", [0x10, ...Array(10).fill(0xff), 0x01], "malformed"],
    ["a tag alone", [0x0a], "truncated"],
    ["field number zero", [0x02, 0x00], "malformed"],
    ["wire type six", [0x0e], "malformed"],
    ["wire type seven", [0x0f], "malformed"],
    ["a group", [0x0b, 0x0c], "group"],
    ["the end of a group", [0x0c], "group"],
    [
      "a length that ends inside its parent, not at its end",
      [0x0a, 0x02, 0x12, 0x05, 1, 2, 3, 4, 5],
      "truncated",
    ],
  ])("refuses %s", (_name, bytes, code) => {
    expect(codeOf(Uint8Array.from(bytes))).toBe(code);
  });

  it("refuses values that are nested too deep, and reads those that are not", () => {
    const deep = (levels: number): Uint8Array =>
      nested(encodeMessage({ 1: "leaf" }), 1, 1, 1, 2, ...Array(levels).fill([5, 1]).flat());
    expect(codeOf(deep(40))).toBe("read");
    expect(codeOf(deep(60))).toBe("too_deep");
  });

  it("refuses a body that unfolds to millions of empty messages", () => {
    const body = new Uint8Array(2 * 1_000_001);
    for (let at = 0; at < body.length; at += 2) body[at] = 0x0a;
    expect(codeOf(body)).toBe("too_many");
  });

  it("says where reading stopped, and nothing of the content", () => {
    expect(() => decodeTraceRequest(protobuf.subarray(0, 40))).toThrow(
      /^the message ends in the middle of a field \(at byte \d+\)$/,
    );
  });

  it("gives spans or a typed error for an export that was cut anywhere", () => {
    for (let length = 0; length < protobuf.length; length += 1) {
      expect(["read", "truncated"]).toContain(codeOf(protobuf.subarray(0, length)));
    }
    expect(codeOf(protobuf.subarray(0, protobuf.length - 1))).toBe("truncated");
  });

  it("gives a value or a typed error for an export with flipped bytes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ at: fc.nat(protobuf.length - 1), to: fc.nat(255) }), {
          minLength: 1,
          maxLength: 8,
        }),
        (flips) => {
          const bytes = protobuf.slice();
          for (const { at, to } of flips) bytes[at] = to;
          codeOf(bytes);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("gives a value or a typed error for any bytes at all", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        codeOf(bytes);
        codeOf(nested(bytes, 1, 2, 2));
        codeOf(nested(bytes, 1, 2, 2, 9));
      }),
      { numRuns: 2_000 },
    );
  });

  it("never makes an object with another prototype, whatever the keys are", () => {
    const attribute = encodeMessage({ 1: "__proto__", 2: encodeMessage({ 1: "polluted" }) });
    const request = decodeTraceRequest(nested(attribute, 1, 2, 2, 9));
    expect(readOtlp(request).problems).toHaveLength(1); // a span without ids
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(JSON.stringify(request)).toContain('"key":"__proto__"');
  });
});
