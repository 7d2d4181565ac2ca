import { describe, expect, it } from "vitest";
import { readOtlp, type SpanView, verify } from "../../../src/verify/index.ts";
import { fixture, fixtureText, type OtlpExport, spansOf } from "../support/otlp.ts";

const base = fixture("ai-sdk-6-labelled");
const baseText = JSON.stringify(base);
const expected = readOtlp(base).spans;

/** The same spans, whatever the wrapping; places differ. */
const placeless = (spans: readonly SpanView[]) => spans.map(({ position: _position, ...rest }) => rest);

const rename = (text: string, names: Record<string, string>): string =>
  Object.entries(names).reduce((all, [from, to]) => all.replaceAll(`"${from}"`, `"${to}"`), text);

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Every name of OTLP in snake case. */
const inSnakeCase = (): string =>
  rename(
    baseText,
    Object.fromEntries(
      [
        "resourceSpans",
        "scopeSpans",
        "traceId",
        "spanId",
        "parentSpanId",
        "startTimeUnixNano",
        "endTimeUnixNano",
        "timeUnixNano",
        "stringValue",
        "intValue",
        "doubleValue",
        "boolValue",
        "arrayValue",
        "kvlistValue",
        "droppedAttributesCount",
        "droppedEventsCount",
      ].map((name) => [name, snake(name)]),
    ),
  );

const base64 = (hex: string): string => Buffer.from(hex, "hex").toString("base64");

/** The export with every id changed. */
const withIds = (change: (hex: string) => string): OtlpExport => {
  const copy = fixture("ai-sdk-6-labelled");
  for (const { span } of spansOf(copy)) {
    span.traceId = change(span.traceId);
    span.spanId = change(span.spanId);
    if (span.parentSpanId !== undefined && span.parentSpanId !== "")
      span.parentSpanId = change(span.parentSpanId);
  }
  return copy;
};

/** The export with every 64-bit number changed. */
const withNumbers = (change: (value: string) => unknown): string =>
  baseText
    .replaceAll(
      /"(startTimeUnixNano|endTimeUnixNano)":"(\d+)"/g,
      (_all, name: string, value: string) => `"${name}":${JSON.stringify(change(value))}`,
    )
    .replaceAll(/"intValue":(\d+)/g, (_all, value: string) => `"intValue":${JSON.stringify(change(value))}`);

const halves = (value: string) => ({
  low: Number(BigInt.asIntN(32, BigInt(value))),
  high: Number(BigInt(value) >> 32n),
});

const lines = spansOf(base).map(({ span, scope }) => ({
  resourceSpans: [{ scopeSpans: [{ scope: { name: scope }, spans: [span] }] }],
}));
const jsonLines = lines.map((line) => JSON.stringify(line)).join("\n");

describe("members of the OTLP JSON family", () => {
  it.each<[string, string | object]>([
    ["one document", baseText],
    ["a value that is parsed already", base],
    ["an indented document", JSON.stringify(base, null, 2)],
    ["a document with Windows line ends", JSON.stringify(base, null, 2).replaceAll("\n", "\r\n")],
    ["a byte order mark", `\ufeff${baseText}`],
    ["snake case", inSnakeCase()],
    ["Tempo's batches", rename(baseText, { resourceSpans: "batches" })],
    ["Tempo's second interface", JSON.stringify({ trace: base, metrics: {} })],
    [
      "instrumentationLibrarySpans",
      rename(baseText, { scopeSpans: "instrumentationLibrarySpans", scope: "instrumentationLibrary" }),
    ],
    ["ilSpans", rename(baseText, { scopeSpans: "ilSpans", scope: "instrumentationLibrary" })],
    ["bare ResourceSpans", JSON.stringify(base.resourceSpans[0])],
    ["an array of ResourceSpans", JSON.stringify(base.resourceSpans)],
    ["an array of exports", JSON.stringify([base])],
    ["an indented array of exports", JSON.stringify(lines, null, 2)],
    [
      "an array with one export on each line",
      `[\n${lines.map((line) => JSON.stringify(line)).join(",\n")}\n]`,
    ],
    ["an array with the commas in front", `[${lines.map((line) => JSON.stringify(line)).join("\n,")}]`],
    ["JSON Lines", jsonLines],
    ["JSON Lines with blank lines and an end", `\n${jsonLines.replaceAll("\n", "\n\n")}\n\n`],
    ["JSON text sequences", jsonLines.replaceAll(/^/gm, "\u001e")],
    ["objects glued together", lines.map((line) => JSON.stringify(line)).join("")],
    ["indented objects glued together", lines.map((line) => JSON.stringify(line, null, 2)).join("")],
    ["ids in upper case", withIds((hex) => hex.toUpperCase())],
    ["ids in base64", withIds(base64)],
    ["ids in base64 without padding", withIds((hex) => base64(hex).replace(/=+$/, ""))],
    ["ids in base64 for URLs", withIds((hex) => base64(hex).replaceAll("+", "-").replaceAll("/", "_"))],
    ["64-bit numbers as texts", withNumbers((value) => value)],
    ["64-bit numbers as halves", withNumbers(halves)],
    [
      "status codes as names",
      baseText
        .replaceAll('"code":2', '"code":"STATUS_CODE_ERROR"')
        .replaceAll('"code":0', '"code":"STATUS_CODE_UNSET"'),
    ],
    [
      "short status names",
      baseText.replaceAll('"code":2', '"code":"Error"').replaceAll('"code":0', '"code":"UNSET"'),
    ],
    ["negative counters", baseText.replaceAll(/"dropped(\w+)Count":0/g, '"dropped$1Count":-1')],
    ["counters as texts", baseText.replaceAll(/"dropped(\w+)Count":0/g, '"dropped$1Count":"0"')],
    ["kinds as names", baseText.replaceAll(/"kind":\d/g, '"kind":"SPAN_KIND_INTERNAL"')],
    ["flags with bits of a newer version", baseText.replaceAll('"name":', '"flags":257,"name":')],
    ["no counters at all", baseText.replaceAll(/,"dropped(\w+)Count":0/g, "")],
    ["unknown fields", baseText.replaceAll('"name":', '"x-new":{"a":[1,{}]},"name":')],
    [
      "a span per line without any wrapping",
      spansOf(base)
        .map(({ span }) => JSON.stringify(span))
        .join("\n"),
    ],
  ])("%s", (_what, input) => {
    const { spans, problems } = readOtlp(input);
    expect(problems).toEqual([]);
    // Bare spans and bare ResourceSpans lack what stands around them.
    const known = spans.map((span, index) => ({
      ...span,
      scope: expected[index]?.scope,
      resource: expected[index]?.resource,
    }));
    expect(placeless(known)).toEqual(placeless(expected));
    expect(verify(spans).verdict).toBe("pass");
  });

  it("reads bytes as it reads text, in chunks of any size", async () => {
    const { createOtlpReader } = await import("../../../src/verify/index.ts");
    const bytes = new TextEncoder().encode(`${jsonLines.replaceAll("New York", "Nový Jork 🗽")}\n`);
    for (const size of [1, 7, 4_096, bytes.length]) {
      const spans: SpanView[] = [];
      const problems: unknown[] = [];
      const reader = createOtlpReader({
        span: (view) => spans.push(view),
        problem: (one) => problems.push(one),
        skipped: () => {},
      });
      for (let at = 0; at < bytes.length; at += size) reader.write(bytes.subarray(at, at + size));
      reader.end();
      expect(problems).toEqual([]);
      expect(spans).toHaveLength(expected.length);
      expect(JSON.stringify(spans.map(({ attributes }) => attributes))).toContain("Nový Jork 🗽");
    }
  });

  it("names the line on which a span's value starts", () => {
    const { spans } = readOtlp(`\n${jsonLines}`, { source: "run.jsonl" });
    expect(spans.map(({ position }) => position)).toEqual(
      expected.map((_, index) => ({ source: "run.jsonl", line: index + 2 })),
    );
  });

  it("reads every kind of value", () => {
    const attributes = [
      ["text", { stringValue: "a" }],
      ["whole", { intValue: "7" }],
      ["number", { intValue: 7 }],
      ["big", { intValue: "9007199254740993" }],
      ["negative", { intValue: { low: -1, high: -1 } }],
      ["double", { doubleValue: 7.5 }],
      ["whole double", { doubleValue: 7 }],
      ["double as text", { doubleValue: "Infinity" }],
      ["no double", { doubleValue: null }],
      ["yes", { boolValue: true }],
      ["list", { arrayValue: { values: [{ stringValue: "a" }, { intValue: "1" }, {}] } }],
      ["map", { kvlistValue: { values: [{ key: "a", value: { boolValue: false } }] } }],
      ["bytes", { bytesValue: "AQID" }],
      ["nothing", {}],
      ["null", null],
      ["bare", "x"],
      ["unknown", { fancyValue: 1 }],
    ].map(([key, value]) => ({ key, value }));
    const { spans } = readOtlp({ spans: [{ traceId: "a".repeat(32), spanId: "b".repeat(16), attributes }] });
    expect({ ...spans[0]?.attributes }).toEqual({
      text: "a",
      whole: 7,
      number: 7,
      big: 9007199254740993n,
      negative: -1,
      double: 7.5,
      "whole double": 7,
      "double as text": Number.POSITIVE_INFINITY,
      "no double": Number.NaN,
      yes: true,
      list: ["a", 1, null],
      map: { a: false },
      bytes: new Uint8Array([1, 2, 3]),
      nothing: null,
      null: null,
      bare: "x",
      unknown: null,
    });
  });

  it("takes names of prototypes for data", () => {
    const attributes = ["__proto__", "constructor", "toString", "hasOwnProperty"].map((key) => ({
      key,
      value: { stringValue: key },
    }));
    const nested = [{ key: "map", value: { kvlistValue: { values: attributes } } }, ...attributes];
    const { spans } = readOtlp(
      JSON.stringify({ spans: [{ traceId: "a".repeat(32), spanId: "b".repeat(16), attributes: nested }] }),
    );
    expect(Object.keys(spans[0]?.attributes ?? {})).toEqual([
      "map",
      "__proto__",
      "constructor",
      "toString",
      "hasOwnProperty",
    ]);
    expect(Object.keys(spans[0]?.attributes.map as object)).toContain("__proto__");
    expect(spans[0]?.attributes.valueOf).toBeUndefined();
    expect(({} as Record<string, unknown>).stringValue).toBeUndefined();
  });

  it("counts other signals and reads past them", () => {
    const text = [
      '{"resourceLogs":[{},{}]}',
      '{"resourceMetrics":[{}]}',
      '{"resourceProfiles":[]}',
      '{"scopeLogs":[{}]}',
      "{}",
      baseText,
    ].join("\n");
    const { spans, problems, skipped } = readOtlp(text);
    expect(problems).toEqual([]);
    expect(skipped).toEqual({ logs: 3, metrics: 1, profiles: 0 });
    expect(spans).toHaveLength(expected.length);
  });

  it("keeps ids of another form, since they still tell spans apart", () => {
    const { spans, problems } = readOtlp({
      spans: [{ traceId: "trace-1", spanId: "span-1", parentSpanId: "0000000000000000" }],
    });
    expect(problems).toEqual([]);
    expect(spans[0]).toMatchObject({ traceId: "trace-1", spanId: "span-1", parentSpanId: undefined });
  });

  it("reads a span that has nothing but its ids", () => {
    const { spans, problems } = readOtlp({ spans: [{ traceId: "a".repeat(32), spanId: "b".repeat(16) }] });
    expect(problems).toEqual([]);
    expect(spans).toMatchObject([
      { name: "", status: "unset", attributes: {}, events: [], droppedAttributes: 0, droppedEvents: 0 },
    ]);
    expect(verify(spans).examined.spans).toBe(1);
  });

  it("reports spans without ids, and reads the others", () => {
    const spans = [
      { name: "no ids" },
      { traceId: "0".repeat(32), spanId: "b".repeat(16) },
      spansOf(base)[0]?.span,
    ];
    const read = readOtlp({ spans }, { source: "x.json" });
    expect(read.spans).toHaveLength(1);
    expect(read.problems).toHaveLength(2);
    expect(read.problems[0]).toMatchObject({ code: "span-without-ids", source: "x.json" });
  });

  it("does not lose a span to odd times", () => {
    const odd = ["1.5e18", "", "soon", -5, 1.5e18, null, { low: 1 }, true];
    const spans = odd.map((time, index) => ({
      traceId: "a".repeat(32),
      spanId: `${index}`.padStart(16, "b"),
      startTimeUnixNano: time,
      endTimeUnixNano: time,
    }));
    const read = readOtlp(JSON.stringify({ spans }));
    expect(read.spans).toHaveLength(odd.length);
    expect(read.spans[0]?.start).toBe(1_500_000_000_000_000_000n);
    expect(read.spans[2]?.start).toBeUndefined();
  });
});

describe("formats that look like it", () => {
  it.each([
    ["jaeger-json", { data: [{ traceID: "a", spans: [], processes: {} }] }],
    ["jaeger-json", { traceID: "a", spans: [] }],
    ["jaeger-json", { traceID: "a", spanID: "b", operationName: "x" }],
    ["zipkin-json", [{ traceId: "a", id: "b", name: "x", timestamp: 1, duration: 2 }]],
    ["go-stdout-json", [{ Name: "x", SpanContext: { TraceID: "a", SpanID: "b" } }]],
    ["python-console-json", { name: "x", context: { trace_id: "0x1", span_id: "0x2" }, parent_id: null }],
  ])("%s is named and refused, with what to export instead", (code, value) => {
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 4)]) {
      const { spans, problems } = readOtlp(text);
      expect(spans).toEqual([]);
      expect(problems).toMatchObject([{ code, level: "error" }]);
      expect(problems[0]?.message).toMatch(/not OTLP.*(export|use)/);
    }
  });

  it.each([
    ["utf-16", Buffer.from(`\ufeff${baseText}`, "utf16le")],
    ["utf-16", Buffer.from(baseText, "utf16le")],
    ["gzip", Buffer.from([0x1f, 0x8b, 8, 0, 0, 0])],
    ["zstd", Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0])],
    ["zstd", Buffer.from([0, 0, 3, 0xe8, 0x28, 0xb5, 0x2f, 0xfd, 0x24, 0])],
    ["binary", Buffer.from([0, 0, 3, 0xe8, 0x0a, 0x90, 0x04, 0x0a, 0x20, 0x7b])],
    ["zip", Buffer.from([0x50, 0x4b, 3, 4, 0, 0])],
    ["binary", Buffer.from([0x0a, 0x90, 0x04, 0x0a, 0x20, 0x0a, 0x1e])],
  ])("bytes that are %s are named", (code, bytes) => {
    expect(readOtlp(bytes)).toMatchObject({ spans: [], problems: [{ code, line: 1 }] });
  });

  it.each([
    "7",
    '"text"',
    "null",
    "true",
    "[1,[2]]",
    '{"hello":1}',
    '{"resourceSpans":7}',
    '{"resourceSpans":[7]}',
  ])("%s is no export", (text) => {
    const { spans, problems } = readOtlp(text);
    expect(spans).toEqual([]);
    expect(problems.length).toBeGreaterThan(0);
  });

  it("a recorded export is not taken for one", () => {
    expect(readOtlp(fixtureText("ai-sdk-7-nested")).problems).toEqual([]);
  });
});
