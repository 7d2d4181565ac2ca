import { describe, expect, it } from "vitest";
import { createOtlpReader, type InputProblem, readOtlp, type SpanView } from "../../../src/verify/index.ts";
import { fixture, spansOf } from "../support/otlp.ts";

const lines = spansOf(fixture("ai-sdk-6-labelled")).map(({ span, scope }) =>
  JSON.stringify({ resourceSpans: [{ scopeSpans: [{ scope: { name: scope }, spans: [span] }] }] }),
);
const [first, second, third, fourth] = lines as [string, string, string, string];
const spanOf = (line: string) => JSON.parse(line).resourceSpans[0].scopeSpans[0].spans[0].spanId as string;

/** Ids that were read, and problems as `code@line`. */
function read(text: string, maxValueLength?: number) {
  const { spans, problems } = readOtlp(text, { maxValueLength });
  return {
    ids: spans.map(({ spanId }) => spanId),
    problems: problems.map(
      ({ code, line, level }) => `${level === "warning" ? "warning " : ""}${code}@${line}`,
    ),
  };
}

const whole = (...good: string[]) => good.map(spanOf);

describe("damaged input", () => {
  it("costs the damaged line, and no other", () => {
    for (const damaged of [
      first.slice(0, 200),
      first.slice(0, -1),
      first.slice(0, -5),
      first.slice(5),
      first.replace(":", ";"),
      first.replaceAll("}", "]"),
      `${first.slice(0, 300)}"${first.slice(300)}`,
      `${first.slice(0, 300)}\u0000${first.slice(300)}`,
    ]) {
      const { ids, problems } = read([second, damaged, third, fourth].join("\n"));
      expect(ids).toEqual(whole(second, third, fourth));
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatch(/^(bad-json|not-json)@2$/);
    }
  });

  it("is reported for each line", () => {
    expect(read(["hello", second, "{", third, "}{", fourth, "[1,"].join("\n"))).toEqual({
      ids: whole(second, third, fourth),
      problems: ["not-json@1", "bad-json@3", "not-json@5", "not-json@7"],
    });
  });

  it("is a warning where the last line stops: the file may still be written", () => {
    expect(read(`${first}\n${second.slice(0, 400)}`)).toEqual({
      ids: whole(first),
      problems: ["warning cut-last-line@2"],
    });
  });

  it("is an error where a cut line has an end", () => {
    expect(read(`${first}\n${second.slice(0, 400)}\n`).problems).toEqual(["bad-json@2"]);
  });

  it("is an error where a document stops", () => {
    const document = JSON.stringify(JSON.parse(first), null, 2);
    expect(read(document.slice(0, document.length / 2))).toEqual({ ids: [], problems: ["cut-off@1"] });
    expect(read(`[${first},\n${second},`)).toEqual({ ids: whole(first, second), problems: ["cut-off@2"] });
  });

  it("inside an indented document costs the document", () => {
    const document = JSON.stringify(JSON.parse(first), null, 2);
    const rows = document.split("\n");
    const cut = [...rows.slice(0, 12), ...rows.slice(12).map((row) => row.replace(/"$/, ""))].join("\n");
    const { ids, problems } = read(`${cut.slice(0, -20)}\n${second}\n${third}`);
    expect(ids).toEqual(whole(second, third));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/bad-json@1/);
  });

  it("between glued values costs one of them", () => {
    const damaged = first.replace('"key":', '"key";');
    expect(read(`${second}${damaged}${third}\n${fourth}`)).toEqual({
      ids: whole(second, third, fourth),
      problems: ["bad-json@1"],
    });
  });

  it("does not hide spans that come before and after a value that is too large", () => {
    const large = JSON.stringify({ resourceSpans: [], padding: "x".repeat(5_000) });
    for (const text of [
      `${first}\n${large}\n${third}`,
      `${first}\n${JSON.stringify(JSON.parse(large), null, 2)}\n${third}`,
    ]) {
      const { ids, problems } = read(text, 4_000);
      expect(ids).toEqual(whole(first, third));
      expect(problems).toEqual(["too-large@2"]);
    }
  });

  it("that is nested without end is refused by its depth", () => {
    const deep = `{"resourceSpans":${"[".repeat(300_000)}${"]".repeat(300_000)}}`;
    expect(read(`${first}\n${deep}\n${second}`)).toEqual({
      ids: whole(first, second),
      problems: ["too-deep@2"],
    });
  });

  it("is found in nested values, too: they are cut, not followed", () => {
    let value: unknown = { stringValue: "deep" };
    for (let level = 0; level < 200; level += 1) value = { kvlistValue: { values: [{ key: "a", value }] } };
    const span = { traceId: "a".repeat(32), spanId: "b".repeat(16), attributes: [{ key: "deep", value }] };
    expect(readOtlp({ spans: [span] }).spans).toHaveLength(1);
  });

  it("never shows the input's text", () => {
    const { problems } = readOtlp(
      'Bearer sk-live-0042\n{"token":"sk-live-0042"}\n{"resourceSpans":"sk-live-0042"}\n{"sk-live-0042',
    );
    expect(problems).toHaveLength(4);
    expect(JSON.stringify(problems)).not.toContain("sk-live");
  });

  it("does not depend on how the input is cut into chunks", () => {
    const text = [
      "junk",
      second,
      first.slice(0, -3),
      third,
      JSON.stringify(JSON.parse(fourth), null, 2),
      first + second,
      "[",
      "  ]",
    ].join("\n");
    const bytes = new TextEncoder().encode(text);
    const results = [1, 13, 1_000, bytes.length].flatMap((size) =>
      [bytes, text].map((input) => {
        const spans: SpanView[] = [];
        const problems: InputProblem[] = [];
        const reader = createOtlpReader({
          span: (view) => spans.push(view),
          problem: (one) => problems.push(one),
          skipped: () => {},
        });
        for (let at = 0; at < input.length; at += size) reader.write(input.slice(at, at + size));
        reader.end();
        return { spans: spans.map(({ spanId, position }) => [spanId, position?.line]), problems };
      }),
    );
    for (const result of results) expect(result).toEqual(results[0]);
    expect(results[0]?.problems.map(({ code }) => code)).toEqual(["not-json", "bad-json"]);
  });
});

it("bytes may be overwritten once they were taken", () => {
  const spans: string[] = [];
  const reader = createOtlpReader({
    span: ({ spanId }) => spans.push(spanId),
    problem: () => {},
    skipped: () => {},
  });
  const bytes = new TextEncoder().encode(`${lines.join("\n")}\n`);
  const chunk = new Uint8Array(700);
  for (let at = 0; at < bytes.length; at += chunk.length) {
    const part = bytes.subarray(at, at + chunk.length);
    chunk.set(part);
    reader.write(chunk.subarray(0, part.length));
  }
  reader.end();
  expect(spans).toEqual(whole(...lines));
});

describe("a long line", () => {
  const sink = () => {
    const found = { spans: 0, problems: [] as string[] };
    return {
      found,
      span: () => {
        found.spans += 1;
      },
      problem: ({ code, line }: InputProblem) => {
        found.problems.push(`${code}@${line}`);
      },
      skipped: () => {},
    };
  };
  const chunk = new Uint8Array(1_048_576).fill("x".charCodeAt(0));

  it.each([
    ["of no JSON", "", "not-json@2"],
    ["of one string that never ends", '{"resourceSpans":"', "too-large@2"],
  ])("%s, 100 MB long, is given up in flat memory, and the next line is read", (_what, begin, problem) => {
    const into = sink();
    const reader = createOtlpReader(into, { maxValueLength: 8_388_608 });
    const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
    reader.write(new TextEncoder().encode(`${first}\n${begin}`));
    let most = 0;
    for (let megabyte = 0; megabyte < 100; megabyte += 1) {
      reader.write(chunk);
      const { arrayBuffers, heapUsed } = process.memoryUsage();
      most = Math.max(most, arrayBuffers + heapUsed - before);
    }
    reader.write(new TextEncoder().encode(`\n${second}\n`));
    reader.end();
    expect(into.found).toMatchObject({ spans: 2, problems: [problem] });
    expect(most).toBeLessThan(80 * 1_048_576);
  });

  it("of glued exports is read one by one", () => {
    const into = sink();
    const reader = createOtlpReader(into);
    const glued = new TextEncoder().encode(lines.join("").repeat(20));
    for (let round = 0; round < 5; round += 1) reader.write(glued);
    reader.end();
    expect(into.found).toEqual({ ...into.found, spans: lines.length * 100, problems: [] });
  });

  it("that is one array is read element by element", () => {
    const into = sink();
    const reader = createOtlpReader(into, { maxValueLength: 1_000_000 });
    reader.write(`[${Array.from({ length: 100 }, () => lines.join(",")).join(",")}]`);
    reader.end();
    expect(into.found).toMatchObject({ spans: lines.length * 100, problems: [] });
  });
});
