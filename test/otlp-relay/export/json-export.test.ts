import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Additions } from "../../../src/otlp-relay/export/additions.ts";
import { readJsonExport } from "../../../src/otlp-relay/export/json-export.ts";

/** JSON as text that was made before: numbers in it can be what JavaScript cannot hold. */
class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
/** Members in order, also with one name twice. */
class Members {
  readonly list: readonly (readonly [string, Json])[];
  constructor(list: readonly (readonly [string, Json])[]) {
    this.list = list;
  }
}
type Json = Raw | Members | readonly Json[];

function written(value: Json): string {
  if (value instanceof Raw) return value.text;
  if (value instanceof Members) {
    return `{${value.list.map(([name, member]) => `${JSON.stringify(name)}:${written(member)}`).join(",")}}`;
  }
  return `[${(value as readonly Json[]).map(written).join(",")}]`;
}

const raw = (value: unknown): Raw => new Raw(JSON.stringify(value));
const anyJson: fc.Arbitrary<Json> = fc.oneof(
  fc.json({ maxDepth: 3 }).map((text) => new Raw(text)),
  fc
    .constantFrom("9007199254740993", "-0", "1e-400", "1.50", '"\\u0041\\/"', '"}]{[\\"\\\\"')
    .map((t) => new Raw(t)),
);
const unknownMember = fc.tuple(
  fc.oneof(
    fc.constantFrom("attributes2", "spans2", "__proto__", 'a"b'),
    fc.string({ maxLength: 5 }).map((n) => `x${n}`),
  ),
  anyJson,
);
const withUnknown = (members: fc.Arbitrary<readonly (readonly [string, Json])[]>): fc.Arbitrary<Members> =>
  fc.tuple(members, fc.array(unknownMember, { maxLength: 3 })).chain(([known, unknown]) => {
    const all = [...known, ...unknown];
    return fc.shuffledSubarray(all, { minLength: all.length }).map((list) => new Members(list));
  });

const hex = (length: number) =>
  fc
    .array(fc.constantFrom(..."0123456789abcdef"), { minLength: length - 1, maxLength: length - 1 })
    .map((digits) => `1${digits.join("")}`);
const list = (name: string, member: fc.Arbitrary<Json>): fc.Arbitrary<readonly (readonly [string, Json])[]> =>
  fc.oneof(
    fc.array(member, { maxLength: 2 }).map((all) => [[name, all] as const]),
    fc.constant([[name, new Raw("null")] as const]),
    fc.constant([]),
  );
const attribute: fc.Arbitrary<Json> = fc
  .tuple(
    fc.string({ maxLength: 10 }),
    fc.constantFrom('{"intValue":9007199254740993}', '{"stringValue":"]}"}'),
  )
  .map(
    ([key, value]) =>
      new Members([
        ["key", raw(`k${key}`)],
        ["value", new Raw(value)],
      ]),
  );
const span = withUnknown(
  fc
    .tuple(hex(32), hex(16), list("attributes", attribute), list("events", anyJson))
    .map(([traceId, spanId, attributes, events]) => [
      ["traceId", raw(traceId)] as const,
      ["spanId", raw(spanId)] as const,
      ["startTimeUnixNano", new Raw("1544712660123456789")] as const,
      ...attributes,
      ...events,
    ]),
);
const group = (names: readonly string[], inner: fc.Arbitrary<Json>) =>
  withUnknown(
    fc
      .tuple(fc.constantFrom(...names), fc.array(inner, { maxLength: 3 }))
      .map(([name, members]) => [[name, members] as const]),
  );
const request = group(
  ["resourceSpans", "resource_spans"],
  group(["scopeSpans", "scope_spans"], group(["spans"], span)),
);

const additions: Additions = {
  attributes: [
    ["trustabl.text", 'é"'],
    ["trustabl.no", false],
    ["trustabl.zero", 0],
    ["trustabl.half", 0.5],
    ["trustabl.none", Number.NaN],
    ["trustabl.list", ["a", ""]],
  ],
  events: [{ name: "trustabl.event", timeUnixNano: 2n ** 64n - 1n, attributes: [["n", 1]] }],
};
const ADDED = {
  attributes: [
    { key: "trustabl.text", value: { stringValue: 'é"' } },
    { key: "trustabl.no", value: { boolValue: false } },
    { key: "trustabl.zero", value: { intValue: "0" } },
    { key: "trustabl.half", value: { doubleValue: 0.5 } },
    { key: "trustabl.none", value: { doubleValue: "NaN" } },
    { key: "trustabl.list", value: { arrayValue: { values: [{ stringValue: "a" }, { stringValue: "" }] } } },
  ],
  events: [
    {
      timeUnixNano: "18446744073709551615",
      name: "trustabl.event",
      attributes: [{ key: "n", value: { intValue: "1" } }],
    },
  ],
};

/** The span as it should be written: new lists in front, new members at the end of their list. */
function labelledSpan(before: Members): Members {
  const missing: (readonly [string, Json])[] = [];
  let after = before.list;
  for (const name of ["attributes", "events"] as const) {
    const added = ADDED[name].map(raw);
    if (!before.list.some(([other]) => other === name)) missing.push([name, added]);
    after = after.map(([other, value]) =>
      other === name
        ? [other, [...(value instanceof Raw ? [] : (value as readonly Json[])), ...added]]
        : [other, value],
    );
  }
  return new Members([...missing, ...after]);
}

function labelled(value: Json, chosen: (index: number) => boolean): Json {
  let index = -1;
  const go = (inside: Json, path: readonly string[][]): Json => {
    if (path.length === 0) {
      index += 1;
      return chosen(index) ? labelledSpan(inside as Members) : inside;
    }
    return new Members(
      (inside as Members).list.map(([name, member]) =>
        path[0]?.includes(name)
          ? [name, (member as readonly Json[]).map((one) => go(one, path.slice(1)))]
          : [name, member],
      ),
    );
  };
  return go(value, [["resourceSpans", "resource_spans"], ["scopeSpans", "scope_spans"], ["spans"]]);
}

const read = (text: string) => readJsonExport(Buffer.from(text));
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

describe("readJsonExport", () => {
  it("adds labels to the chosen spans and keeps every other character, numbers and unknown members too", () => {
    let seen = 0;
    fc.assert(
      fc.property(request, fc.integer({ min: 1, max: 4 }), (document, every) => {
        const text = written(document);
        const exported = read(text);
        const chosen = (index: number) => index % every === 0;
        const map = new Map(
          exported.spans.filter((_, index) => chosen(index)).map((one) => [one, additions]),
        );
        seen += map.size;
        expect(textOf(exported.write(map))).toBe(written(labelled(document, chosen)));
        expect(textOf(exported.write(new Map()))).toBe(text);
      }),
    );
    expect(seen).toBeGreaterThan(50);
  });

  it("finds its way in a document with white space, a byte order mark and escaped names", () => {
    const ids = '"traceId" : "0af7651916cd43dd8448eb211c80319c" ,\r\n "spanId":"b7ad6b7169203331"';
    const text = `\ufeff\n{ "resourceSp\\u0061ns" : [ {\t"scopeSpans": [ { "spans" : [ {${ids} , "attributes" : [ ] } , { ${ids} } ] } ] } ] }\n`;
    const exported = read(text);
    expect(exported.spans).toHaveLength(2);
    const map = new Map(exported.spans.map((one) => [one, { attributes: [["a", 1]], events: [] } as const]));
    const added = '{"key":"a","value":{"intValue":"1"}}';
    expect(textOf(exported.write(map))).toBe(
      text.replace("[ ]", `[ ${added}]`).replace(`{ ${ids} }`, `{"attributes":[${added}], ${ids} }`),
    );
  });

  it("keeps bytes that are not UTF-8", () => {
    const [before, after] = [
      '{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"',
      '","traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331"}]}]}]}',
    ];
    const body = Buffer.concat([Buffer.from(before), Buffer.from([0xe9, 0xff]), Buffer.from(after)]);
    const exported = readJsonExport(body);
    const result = exported.write(new Map([[exported.spans[0] as never, additions]]));
    expect(Buffer.from(result).includes(Buffer.from([0xe9, 0xff, 0x22]))).toBe(true);
  });

  it("shows what a span is, 64-bit numbers in full, and not what only looks like an attribute's value", () => {
    const { spans } = read(
      JSON.stringify({
        resourceSpans: [
          {
            scopeSpans: [
              {
                spans: [
                  {
                    traceId: "0AF7651916CD43DD8448EB211C80319C",
                    spanId: "b7ad6b7169203331",
                    parentSpanId: "b7ad6b7169203332",
                    name: "claude_code.tool",
                    attributes: [
                      { key: "__proto__", value: { stringValue: "data" } },
                      { key: "large", value: { intValue: "9007199254740993" } },
                      {
                        key: "list",
                        value: { arrayValue: { values: [{ intValue: "1" }, { boolValue: true }] } },
                      },
                      { key: "mixed", value: { arrayValue: { values: [{ kvlistValue: {} }] } } },
                      { key: "map", value: { kvlistValue: { values: [] } } },
                      { key: "nothing", value: {} },
                    ],
                  },
                ],
                scope: { name: "scope" },
              },
            ],
            resource: { attributes: [{ key: "service.name", value: { stringValue: "s" } }] },
          },
        ],
      }),
    );
    const { span: shown, present } = spans[0] as (typeof spans)[number];
    expect({
      ...shown,
      attributes: Object.entries(shown.attributes),
      resource: { ...shown.resource },
    }).toEqual({
      traceId: "0af7651916cd43dd8448eb211c80319c",
      spanId: "b7ad6b7169203331",
      parentSpanId: "b7ad6b7169203332",
      name: "claude_code.tool",
      scope: "scope",
      resource: { "service.name": "s" },
      attributes: [
        ["__proto__", "data"],
        ["large", "9007199254740993"],
        ["list", [1, true]],
      ],
    });
    expect(Object.keys(present)).toHaveLength(6);
  });

  it.each([
    ["no ids", { name: "x" }, 1],
    [
      "attributes that are no list",
      { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", attributes: {} },
      1,
    ],
    ["something else than a span", 7, 0],
  ])("does not show a span with %s", (_name, one, unreadable) => {
    const exported = read(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [one] }] }] }));
    expect([exported.spans.length, exported.unreadable]).toEqual([0, unreadable]);
  });

  it("does not show a span with two lists of attributes: readers differ in which of them counts", () => {
    const exported = read(
      '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","attributes":[],"attributes":[]}]}]}]}',
    );
    expect([exported.spans.length, exported.unreadable]).toEqual([0, 1]);
  });

  it("passes over groups that are no lists and members that are no objects", () => {
    for (const text of [
      "{}",
      '{"resourceSpans":null}',
      '{"resourceSpans":[1,null,"x",[],{}]}',
      '{"resourceSpans":[{"scopeSpans":7},{"scopeSpans":[[]]},{"scopeSpans":[{"spans":"x"}]}]}',
    ]) {
      expect(read(text).spans).toEqual([]);
    }
  });

  it("takes values nested a hundred thousand deep", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const text = `{"x":${deep},"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","x":${deep},"spanId":"b7ad6b7169203331"}]}]}]}`;
    const exported = read(text);
    expect(exported.spans).toHaveLength(1);
    expect(textOf(exported.write(new Map()))).toBe(text);
  });
});
