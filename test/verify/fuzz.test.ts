import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createVerifier,
  formatReport,
  REPORT_FORMATS,
  type Report,
  readOtlp,
  verify,
} from "../../src/verify/index.ts";
import { labelExport } from "./support/label-export.ts";
import { fixture, fixtureText, type OtlpExport, spansOf } from "./support/otlp.ts";

const NAMES = [
  "ai-sdk-6-labelled",
  "ai-sdk-7-nested",
  "openai-agents-as-tool",
  "mcp-traceloop-error",
  "claude-native-error",
];

/** Labelled exports as JSON Lines: one span on each line, and as documents. */
const TEXTS = NAMES.flatMap((name) => {
  const otlp = name === "ai-sdk-6-labelled" ? fixture(name) : labelExport(fixture(name));
  const lines = spansOf(otlp).map(({ span, scope }) =>
    JSON.stringify({ resourceSpans: [{ scopeSpans: [{ scope: { name: scope }, spans: [span] }] }] }),
  );
  return [`${lines.join("\n")}\n`, `${JSON.stringify(otlp, null, 1)}\n`];
});
const BYTES = TEXTS.map((text) => new TextEncoder().encode(text));

/** Whatever the input: no crash, a report that can be shown, and a verdict that its own numbers bear out. */
function examine(input: string | Uint8Array | object): Report {
  const { spans, problems } = readOtlp(input);
  const verifier = createVerifier({ maxOpenSpans: 200 });
  for (const span of spans) verifier.add(span);
  for (const problem of problems) verifier.problem(problem);
  const report = verifier.finish();
  for (const format of REPORT_FORMATS) expect(formatReport(report, { format })).toMatch(/\n$/);
  // Every reason has its sentence.
  for (const { findings } of report.checks)
    for (const { message } of findings) expect(message).toMatch(/^[A-Z].*\.$/);
  if (report.verdict === "pass") {
    expect(report.examined.labelledSpans).toBeGreaterThan(0);
    expect(report.examined.toolSpans).toBeGreaterThan(0);
    expect(report.problems.every(({ level }) => level === "warning")).toBe(true);
  }
  return report;
}

describe("damage of any kind", () => {
  const where = fc.record({ file: fc.nat(BYTES.length - 1), at: fc.double({ min: 0, max: 1, noNaN: true }) });
  const spot = ({ file, at }: { file: number; at: number }) => {
    const bytes = BYTES[file] as Uint8Array;
    return { bytes, index: Math.min(bytes.length - 1, Math.floor(at * bytes.length)) };
  };

  it("a cut input never passes by mistake: what is lost is a problem, or a check that cannot tell", () => {
    fc.assert(
      fc.property(where, (place) => {
        const { bytes, index } = spot(place);
        // A cut between two lines leaves a file that is whole; only the calls that are there can be judged.
        const report = examine(bytes.subarray(0, index));
        const cutInside = index > 0 && bytes[index - 1] !== 10 && bytes[index] !== 10;
        if (cutInside) expect([report.incomplete, report.verdict === "nothing-to-check"]).toContain(true);
        if (cutInside) expect(verifyStrictly(bytes.subarray(0, index)).verdict).not.toBe("pass");
      }),
      { numRuns: 400 },
    );
  });

  it("flipped bytes", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(where, fc.nat(255)), { minLength: 1, maxLength: 12 }), (flips) => {
        const [[first]] = flips as [[{ file: number; at: number }, number]];
        const bytes = spot(first).bytes.slice();
        for (const [{ at }, value] of flips)
          bytes[Math.min(bytes.length - 1, Math.floor(at * bytes.length))] = value;
        examine(bytes);
      }),
      { numRuns: 600 },
    );
  });

  it("lines that are spliced, doubled and in another order", () => {
    const lines = TEXTS.flatMap((text) => text.split("\n"));
    const piece = fc
      .tuple(fc.nat(lines.length - 1), fc.nat(2_000), fc.nat(2_000))
      .map(([index, from, length]) => (lines[index] as string).slice(from % 300, (from % 300) + length));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, fc.constantFrom(...lines)), { maxLength: 30 }),
        fc.constantFrom("\n", "", "\r\n", ",", "\n\n"),
        (parts, glue) => {
          examine(parts.join(glue));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("text of any kind", () => {
    const words = fc.constantFrom(
      '{"resourceSpans":[',
      '{"spans":[{',
      "]}",
      '"',
      "\\",
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      "\n",
      "\u0000",
      "\ufeff",
      "null",
      "1e999",
      '"traceId":"a"',
      "\ud800",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary", maxLength: 300 }),
          fc.array(words, { maxLength: 60 }).map((all) => all.join("")),
        ),
        (text) => {
          expect(examine(text).verdict).toBe("nothing-to-check");
        },
      ),
      { numRuns: 600 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(examine(bytes).verdict).toBe("nothing-to-check");
      }),
    );
  });

  it("values of the wrong type anywhere", () => {
    const odd = fc.oneof(
      fc.constantFrom(
        null,
        true,
        0,
        -1,
        1e308,
        Number.MAX_SAFE_INTEGER,
        "",
        "x".repeat(5_000),
        "__proto__",
        [],
        {},
        [[[]]],
        { __proto__: null },
      ),
      fc.jsonValue({ maxDepth: 3 }),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...NAMES),
        fc.array(fc.tuple(fc.nat(), odd), { minLength: 1, maxLength: 8 }),
        (name, changes) => {
          const otlp = JSON.parse(fixtureText(name)) as OtlpExport;
          for (const [where, value] of changes) replaceAt(otlp, where, value);
          examine(otlp);
          examine(JSON.stringify(otlp));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("labels of any value", () => {
    const keys = [
      "trustabl.run_id",
      "trustabl.exit_reason",
      "trustabl.step_index",
      "trustabl.tool.attempt",
      "trustabl.tool.input_fp",
      "trustabl.handoff_id",
      "trustabl.__proto__",
      "trustabl.",
      "trustabl.policy.binding.id",
    ];
    const value = fc.anything({
      withBigInt: true,
      withNullPrototype: true,
      withObjectString: true,
      withTypedArray: true,
      withMap: true,
      withDate: true,
    });
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), value), (attributes) => {
        const base = {
          name: "execute_tool x",
          events: [{ name: "trustabl.policy.binding", attributes }],
          droppedAttributes: 0,
          droppedEvents: 0,
          status: "unset",
        } as const;
        const all = {
          ...attributes,
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.call.arguments": Object.values(attributes)[0],
        };
        const report = verify([
          { ...base, traceId: "a", spanId: "b", attributes: all },
          { ...base, traceId: "a", spanId: "c", parentSpanId: "b", attributes: all },
        ]);
        for (const format of REPORT_FORMATS) formatReport(report, { format });
        expect(["pass", "fail", "nothing-to-check"]).toContain(report.verdict);
      }),
      { numRuns: 500 },
    );
  });

  it("links between spans of any kind", () => {
    const ids = fc.constantFrom("a", "b", "c", "d", "e");
    const link = fc.record({
      spanId: ids,
      parentSpanId: fc.option(ids, { nil: undefined }),
      traceId: fc.constantFrom("t", "u"),
      kind: fc.constantFrom("execute_tool", "invoke_agent", "chat"),
      labels: fc.dictionary(
        fc.constantFrom(
          "trustabl.run_id",
          "trustabl.step_index",
          "trustabl.tool.attempt",
          "trustabl.handoff_id",
        ),
        fc.constantFrom("r", "s", 0, 1, 2),
      ),
      start: fc.bigInt({ min: 0n, max: 5_000_000_000n }),
    });
    fc.assert(
      fc.property(fc.array(link, { maxLength: 25 }), fc.nat(30), (links, maxOpenSpans) => {
        const spans = links.map(({ kind, labels, ...rest }) => ({
          ...rest,
          end: rest.start + 1_000n,
          name: kind,
          status: "unset" as const,
          attributes: { "gen_ai.operation.name": kind, ...labels },
          events: [],
          droppedAttributes: 0,
          droppedEvents: 0,
        }));
        const report = verify(spans, { maxOpenSpans });
        formatReport(report);
        expect(
          report.checks.some(({ findings }) => findings.some(({ reason }) => reason === "check-failed")),
        ).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});

function verifyStrictly(input: Uint8Array): Report {
  const { spans, problems } = readOtlp(input);
  const verifier = createVerifier({ strict: true });
  for (const span of spans) verifier.add(span);
  for (const problem of problems) verifier.problem(problem);
  return verifier.finish();
}

/** Replaces one member or element, chosen by a number, anywhere in the value. */
function replaceAt(value: object, where: number, by: unknown): void {
  const places: [holder: Record<string, unknown>, key: string][] = [];
  const open: object[] = [value];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const [key, member] of Object.entries(at)) {
      places.push([at as Record<string, unknown>, key]);
      if (typeof member === "object" && member !== null) open.push(member);
    }
  }
  const place = places[where % places.length];
  if (place !== undefined) place[0][place[1]] = by;
}
