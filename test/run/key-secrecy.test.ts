import { inspect } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FingerprintKey } from "../../src/fingerprint/index.ts";
import { canonicalFp, markToolSpan, Run, startRun, withRun, wrapTool } from "../../src/index.ts";
import { prepareTool } from "../../src/tool/tool-definition.ts";
import { ToolSpanTracker } from "../../src/tracker/index.ts";
import { createVerifier, formatReport, REPORT_FORMATS, verify } from "../../src/verify/index.ts";
import { settingsOf } from "../../src/verify/options.ts";
import { hearDiagnostics } from "../support/diagnostics.ts";
import { sdk2 } from "../support/sdks-here.ts";
import { inSpan, type TestTracing, toolSpanAttributes, useContextManager } from "../support/tracing.ts";

useContextManager();
let tracing: TestTracing;
let heard: string[];
beforeEach(() => {
  tracing = sdk2.open({ processors: [new ToolSpanTracker()] });
  heard = hearDiagnostics();
});
afterEach(() => tracing.close());

/** No two bytes are neighbours elsewhere: whatever form they come out in, a few in a row are found. */
const KEY = Uint8Array.from({ length: 48 }, (_, index) => (index * 37 + 129) % 256);

/** The key in every form in which bytes are printed, cut to pieces that do not turn up by chance. */
function formsOf(key: Uint8Array): string[] {
  const starts = Array.from({ length: key.length - 7 }, (_, at) => at);
  return starts.flatMap((at) => {
    const piece = Buffer.from(key.subarray(at, at + 8));
    const hex = piece.toString("hex");
    const list = [...piece];
    const latin1 = piece.toString("latin1");
    return [
      hex,
      hex.toUpperCase(),
      (hex.match(/../g) ?? []).join(" "),
      (hex.match(/../g) ?? []).join(":"),
      list.join(),
      list.join(", "),
      list.map((byte) => `0x${byte.toString(16)}`).join(", "),
      latin1,
      JSON.stringify(latin1).slice(1, -1),
      inspect(latin1).slice(1, -1),
      list.map((byte, index) => `"${at + index}":${byte}`).join(),
      piece.toString("base64").slice(1, -3),
      piece.toString("base64url").slice(1, -3),
    ];
  });
}
const FORMS = formsOf(KEY);
// Also without the blanks that printers of lists put between.
const shows = (text: string): boolean =>
  [text, text.replace(/\s+/g, "")].some((searched) => FORMS.some((form) => searched.includes(form)));

/** Everything that prints a value. */
function printed(value: unknown): string[] {
  const everything = {
    showHidden: true,
    depth: 20,
    getters: true,
    maxArrayLength: 10_000,
    maxStringLength: null,
  };
  return [
    inspect(value),
    inspect(value, everything),
    inspect(value, { ...everything, showProxy: true }),
    String(value),
    attempt(() => JSON.stringify(value)),
    attempt(() => inspect(structuredClone(value), everything)),
    attempt(() => inspect({ ...(value as object) }, everything)),
    attempt(() => inspect(Object.getOwnPropertyDescriptors(value), everything)),
  ];
}
function attempt(print: () => string | undefined): string {
  try {
    return print() ?? "";
  } catch (error) {
    return inspect(error, { showHidden: true, depth: 20 });
  }
}

/** The message, the stack and every other part of what `wrong` throws. */
function thrown(wrong: () => unknown): string[] {
  try {
    wrong();
  } catch (error) {
    return printed(error);
  }
  throw new Error("nothing was thrown");
}

it("the search finds a key in every form in which it could be shown", () => {
  const buffer = Buffer.from(KEY);
  for (const text of [
    inspect(KEY, { maxArrayLength: 100 }),
    inspect(buffer),
    JSON.stringify(KEY),
    inspect(buffer.toString("latin1")),
    JSON.stringify(buffer.toString("latin1")),
    JSON.stringify(buffer),
    buffer.toString("hex"),
    buffer.toString("base64"),
    buffer.toString("latin1"),
    inspect({ deep: [new Map([[1, KEY]])] }, { depth: 9, maxArrayLength: 100 }),
  ]) {
    expect(shows(text), text.slice(0, 60)).toBe(true);
  }
});

it("no object that knows a key shows it", async () => {
  const fingerprint = { key: Uint8Array.from(KEY) };
  const run = new Run("r", { fingerprint });
  const tool = wrapTool({ name: "search", fingerprint }, (args: { q: string }) => args.q);
  const known = [
    run,
    run.fingerprint,
    run.fingerprint?.key,
    run.fingerprint?.key.hmacStream,
    new FingerprintKey(KEY),
    tool,
    prepareTool({ name: "search", fingerprint }),
    startRun(undefined, { fingerprint }),
    settingsOf({ fingerprint }),
    createVerifier({ fingerprint }),
  ];
  for (const value of known) for (const text of printed(value)) expect(shows(text)).toBe(false);
});

it("a random key is not shown either: whatever prints a run prints no list of bytes", () => {
  for (const text of printed(new Run("r", { fingerprint: "run" }))) {
    expect(text).not.toMatch(/Uint8Array\(|Buffer|(?:\d{1,3},\s?){8}|[0-9a-f]{32}/);
  }
});

it("no error says what a wrong key was", () => {
  const short = KEY.slice(0, 31);
  const texts = [Buffer.from(KEY).toString("hex"), Buffer.from(KEY).toString("latin1")];
  const wrong: unknown[] = [short, Buffer.from(short), ...texts, [...KEY], KEY.slice().buffer, { ...KEY }];
  for (const key of wrong) {
    const fingerprint = { key } as { key: Uint8Array };
    const errors = [
      ...thrown(() => new Run("r", { fingerprint })),
      ...thrown(() => startRun(undefined, { fingerprint })),
      ...thrown(() => wrapTool({ name: "search", fingerprint }, () => 1)),
      ...thrown(() => verify([], { fingerprint })),
      ...thrown(() => new Run("r", { fingerprint: key as never })),
      ...thrown(() => wrapTool({ name: "search", fingerprint: key as never }, () => 1)),
    ];
    for (const text of errors) expect(shows(text)).toBe(false);
  }
});

it("no span, diagnostic or report has it, whatever goes wrong", async () => {
  const fingerprint = { key: KEY };
  const search = wrapTool({ name: "search", fingerprint }, (args: unknown) => args);
  const failing = wrapTool({ name: "search", fingerprint }, () => {
    throw new Error("the tool failed");
  });
  const cycle: unknown[] = [];
  cycle.push(cycle);
  const calls: (() => unknown)[] = [
    () => search({ q: 1 }),
    () => search(cycle),
    () => search(new Map()),
    () => failing(),
    () => new Promise((_, reject) => reject(new Error("later"))),
  ];
  await inSpan(tracing.tracer, "invoke_agent helper", {}, (root) =>
    withRun(
      root,
      async () => {
        for (const call of calls) {
          await inSpan(tracing.tracer, "execute_tool search", toolSpanAttributes("search"), call).catch(
            () => {},
          );
        }
        await inSpan(tracing.tracer, "execute_tool x", toolSpanAttributes("search"), (span) =>
          markToolSpan(span, { args: cycle, result: 1, fingerprint }),
        );
      },
      { fingerprint },
    ),
  );
  const spans = tracing.finished();
  expect(spans.some(({ attributes }) => attributes["trustabl.tool.input_fp"] !== undefined)).toBe(true);
  expect(heard.length).toBeGreaterThan(0);
  const report = verify(spans as never, { fingerprint });
  const texts = [
    ...printed(spans),
    ...printed(heard),
    ...printed(report),
    ...REPORT_FORMATS.map((format) => formatReport(report, { format })),
  ];
  for (const text of texts) expect(shows(text)).toBe(false);
});

it("no fingerprint of a keyed run is the unkeyed one, of a call without arguments either", async () => {
  const nothing = wrapTool({ name: "search" }, () => undefined);
  await inSpan(tracing.tracer, "invoke_agent helper", {}, (root) =>
    withRun(
      root,
      () => inSpan(tracing.tracer, "execute_tool search", toolSpanAttributes("search"), () => nothing()),
      { fingerprint: "run" },
    ),
  );
  const attributes = tracing.finished()[0]?.attributes ?? {};
  expect(attributes["trustabl.tool.input_fp"]).toMatch(/^[0-9a-f]{16}$/);
  expect(Object.values(attributes)).not.toContain(canonicalFp(null));
});
