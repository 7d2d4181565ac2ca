import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeTraceRequest } from "../../../src/otlp-receiver/protobuf/decode.ts";
import type { Additions } from "../../../src/otlp-relay/export/additions.ts";
import { readProtobufExport } from "../../../src/otlp-relay/export/protobuf-export.ts";

/** A message as a list of fields, so that the expected bytes can be made without the code under test. */
interface Field {
  readonly number: number;
  readonly wireType: 0 | 1 | 2 | 5;
  readonly value: Uint8Array | Message;
}
type Message = readonly Field[];

const varint = (value: number): number[] =>
  value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...varint(Math.floor(value / 0x80))];

function encoded(message: Message): Buffer {
  return Buffer.concat(
    message.flatMap(({ number, wireType, value }) => {
      const tag = Buffer.from(varint(number * 8 + wireType));
      if (wireType !== 2) return [tag, value as Uint8Array];
      const bytes = value instanceof Uint8Array ? value : encoded(value);
      return [tag, Buffer.from(varint(bytes.length)), bytes];
    }),
  );
}

const delimited = (number: number, value: Uint8Array | Message): Field => ({ number, wireType: 2, value });
const text = (value: string): Buffer => Buffer.from(value);

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
/** A field that no message of OTLP has: of another version, or of a vendor. */
const unknownField: fc.Arbitrary<Field> = fc.integer({ min: 1_000, max: 500_000 }).chain((number) =>
  fc.oneof(
    fc.nat().map((value): Field => ({ number, wireType: 0, value: Uint8Array.from(varint(value)) })),
    bytes(8).map((value): Field => ({ number, wireType: 1, value })),
    bytes(4).map((value): Field => ({ number, wireType: 5, value })),
    fc.uint8Array({ maxLength: 200 }).map((value) => delimited(number, value)),
  ),
);

/** The fields in any order, with unknown ones among them. */
const withUnknown = (fields: fc.Arbitrary<readonly Field[]>): fc.Arbitrary<Message> =>
  fc.tuple(fields, fc.array(unknownField, { maxLength: 3 })).chain(([known, unknown]) => {
    const all = [...known, ...unknown];
    return fc.shuffledSubarray(all, { minLength: all.length });
  });

const id = (length: number) => bytes(length).map((value) => Uint8Array.from([1, ...value.slice(1)]));
const attribute = fc
  .tuple(fc.string({ maxLength: 20 }), fc.string({ maxLength: 150 }))
  .map(([key, value]) => delimited(9, [delimited(1, text(key)), delimited(2, [delimited(1, text(value))])]));
const span = withUnknown(
  fc
    .tuple(id(16), id(8), fc.string({ maxLength: 40 }), bytes(8), fc.array(attribute, { maxLength: 3 }))
    .map(([traceId, spanId, name, start, attributes]): Field[] => [
      delimited(1, traceId),
      delimited(2, spanId),
      delimited(5, text(name)),
      { number: 7, wireType: 1, value: start },
      ...attributes,
      // An event and a link, whose inside is not looked at.
      delimited(11, [delimited(2, text("event"))]),
      delimited(13, [delimited(1, traceId)]),
    ]),
);
const group = (inner: fc.Arbitrary<Message>, number: number): fc.Arbitrary<Message> =>
  withUnknown(
    fc
      .array(inner, { maxLength: 3 })
      .map((messages) => [
        ...messages.map((message) => delimited(number, message)),
        delimited(number === 1 ? 1_000 : 3, text("schema")),
      ]),
  );
const request = group(group(group(span, 2), 2), 1);

const additions: Additions = {
  attributes: [
    ["trustabl.text", "é".repeat(100)],
    ["trustabl.empty", ""],
    ["trustabl.no", false],
    ["trustabl.zero", 0],
    ["trustabl.minus", -7],
    ["trustabl.half", 0.5],
    ["trustabl.list", ["a", ""]],
  ],
  events: [{ name: "trustabl.event", timeUnixNano: 2n ** 64n - 1n, attributes: [["n", 1]] }],
};

// Written by hand from common.proto and trace.proto.
const keyValue = (key: string, value: Message): Message => [delimited(1, text(key)), delimited(2, value)];
const MINUS_7 = [0xf9, ...new Array(8).fill(0xff), 0x01];
const ADDED: Message = [
  delimited(9, keyValue("trustabl.text", [delimited(1, text("é".repeat(100)))])),
  delimited(9, keyValue("trustabl.empty", [delimited(1, text(""))])),
  delimited(9, keyValue("trustabl.no", [{ number: 2, wireType: 0, value: Uint8Array.of(0) }])),
  delimited(9, keyValue("trustabl.zero", [{ number: 3, wireType: 0, value: Uint8Array.of(0) }])),
  delimited(9, keyValue("trustabl.minus", [{ number: 3, wireType: 0, value: Uint8Array.from(MINUS_7) }])),
  delimited(
    9,
    keyValue("trustabl.half", [
      { number: 4, wireType: 1, value: Uint8Array.of(0, 0, 0, 0, 0, 0, 0xe0, 0x3f) },
    ]),
  ),
  delimited(
    9,
    keyValue("trustabl.list", [
      delimited(5, [delimited(1, [delimited(1, text("a"))]), delimited(1, [delimited(1, text(""))])]),
    ]),
  ),
  delimited(11, [
    { number: 1, wireType: 1, value: Uint8Array.from(new Array(8).fill(0xff)) },
    delimited(2, text("trustabl.event")),
    delimited(3, keyValue("n", [{ number: 3, wireType: 0, value: Uint8Array.of(1) }])),
  ]),
];

/** The request with `ADDED` at the end of the spans whose turn it is. */
function labelled(message: Message, chosen: (index: number) => boolean): Message {
  let index = -1;
  const go = (inside: Message, path: readonly number[]): Message =>
    inside.map((field) => {
      if (field.number !== path[0] || field.value instanceof Uint8Array) return field;
      if (path.length > 1) return { ...field, value: go(field.value, path.slice(1)) };
      index += 1;
      return chosen(index) ? { ...field, value: [...field.value, ...ADDED] } : field;
    });
  return go(message, [1, 2, 2]);
}

const read = (body: Buffer) => readProtobufExport(body, decodeTraceRequest(body));

describe("readProtobufExport", () => {
  it("adds labels to the chosen spans and keeps every other byte, known or not", () => {
    let seen = 0;
    fc.assert(
      fc.property(request, fc.integer({ min: 1, max: 4 }), (message, every) => {
        const body = encoded(message);
        const exported = read(body);
        const chosen = (index: number) => index % every === 0;
        const map = new Map(
          exported.spans.filter((_, index) => chosen(index)).map((one) => [one, additions]),
        );
        seen += map.size;
        expect(Buffer.from(exported.write(map)).equals(encoded(labelled(message, chosen)))).toBe(true);
        expect(exported.write(new Map())).toBe(body);
      }),
    );
    expect(seen).toBeGreaterThan(50);
  });

  it("shows spans whose resource and scope come after them, or in parts", () => {
    const key = (name: string) => delimited(1, keyValue(name, [delimited(1, text("x"))]));
    const one: Message = [delimited(1, Buffer.alloc(16, 1)), delimited(2, Buffer.alloc(8, 2))];
    const { spans } = read(
      encoded([
        delimited(1, [
          delimited(2, [delimited(2, one), delimited(1, [delimited(1, text("scope"))])]),
          delimited(1, [key("a")]),
          delimited(1, [key("b")]),
        ]),
      ]),
    );
    expect(spans[0]?.span).toMatchObject({ scope: "scope", resource: { a: "x", b: "x" }, name: "" });
  });

  it("does not show spans without usable ids", () => {
    const exported = read(
      encoded([delimited(1, [delimited(2, [delimited(2, [delimited(5, text("no ids"))])])])]),
    );
    expect([exported.spans.length, exported.unreadable]).toEqual([0, 1]);
  });

  it("keeps lengths that are written longer than they have to be, where nothing is added", () => {
    const one = encoded([delimited(1, Buffer.alloc(16, 1)), delimited(2, Buffer.alloc(8, 2))]);
    const padded = Buffer.concat([Buffer.from([0x12, one.length + 0x80, 0x80, 0]), one]);
    const body = encoded([delimited(1, [delimited(2, Buffer.concat([padded, padded]))])]);
    const exported = read(body);
    const map = new Map([[exported.spans[1] as never, additions]]);
    const written = Buffer.from(exported.write(map));
    expect(written.includes(padded)).toBe(true);
    expect(read(written).spans.map(({ present }) => Object.keys(present).length)).toEqual([0, 7]);
  });
});
