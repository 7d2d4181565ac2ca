import { createHmac } from "node:crypto";
import { linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import * as zlib from "node:zlib";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { FORMATS } from "../../../src/cli/verify/options.ts";
import { canonicalJson } from "../../../src/fingerprint/index.ts";
import { changed, exportExample, type JsonSpan, unlabelled } from "../support/example-export.ts";
import { folderWith } from "../support/folder.ts";
import { runMain, type World } from "../support/run-main.ts";

let example: string;
beforeAll(async () => {
  example = await exportExample();
}, 60_000);

const verify = (text: string | Uint8Array, argv: readonly string[] = [], world: World = {}) =>
  runMain(["verify", "-", ...argv], { stdin: text, ...world });
const verifyFiles = (files: Record<string, string | Uint8Array>, ...argv: string[]) =>
  runMain(["verify", ...argv], { cwd: folderWith(files) });

/** The report as data, and the exit code. */
async function reported(text: string, ...argv: string[]) {
  const { code, stdout } = await verify(text, [...argv, "--format", "json"]);
  return { code, ...JSON.parse(stdout) };
}

/** `check span` for every failed finding. */
const failures = (report: {
  checks: { findings: { check: string; outcome: string; span?: { spanId: string } }[] }[];
}) =>
  report.checks
    .flatMap(({ findings }) => findings)
    .filter(({ outcome }) => outcome === "fail")
    .map(({ check, span }) => `${check} ${span?.spanId}`);

const isTool = ({ name }: JsonSpan) => name === "ai.toolCall";
const attributesOf = (span: JsonSpan | undefined) => span?.attributes ?? [];
const without = (span: JsonSpan, key: string) => {
  span.attributes = span.attributes.filter((attribute) => attribute.key !== key);
};

describe("verify, on the export of the example", () => {
  it("passes", async () => {
    const { code, stdout, stderr } = await verify(example);
    expect(stdout).toMatch(/\npass: \d+ passed.*; \d+ spans, 7 tool calls, 1 run\n$/);
    expect([code, stderr]).toEqual([0, ""]);
  });

  // What a call does to the world, its error class and its result's fingerprint may be left out.
  const OPTIONAL = ["trustabl.tool.side_effect", "trustabl.tool.error_class", "trustabl.tool.output_fp"];

  it("says which check, which span and what was found when any label is removed", async () => {
    const labels: [index: number, key: string][] = [];
    changed(example, (spans) => {
      for (const [index, span] of spans.entries()) {
        for (const { key } of span.attributes) {
          if (key.startsWith("trustabl.") && !OPTIONAL.includes(key)) labels.push([index, key]);
        }
      }
    });
    expect(labels.length).toBeGreaterThan(25);
    for (const [index, key] of labels) {
      const broken = changed(example, (spans) => without(spans[index] as JsonSpan, key));
      const report = await reported(broken);
      expect([key, report.code, report.verdict]).toEqual([key, 1, "fail"]);
      const [finding] = report.checks.flatMap(({ findings }: { findings: object[] }) => findings);
      expect(finding).toMatchObject({ message: expect.any(String), span: { spanId: expect.any(String) } });
    }
  });

  it("says the same when any label is moved to another span", async () => {
    let count = 0;
    for (const key of [
      ...OPTIONAL,
      "trustabl.tool.input_fp",
      "trustabl.tool.attempt",
      "trustabl.step_index",
    ]) {
      const moved = changed(example, (spans) => {
        const from = spans.find((span) => isTool(span) && span.attributes.some((one) => one.key === key));
        const to = spans.find(({ name }) => name === "ai.generateText.doGenerate");
        const label = from?.attributes.find((one) => one.key === key);
        if (from === undefined || to === undefined || label === undefined) return;
        without(from, key);
        to.attributes.push(label);
        count += 1;
      });
      const report = await reported(moved);
      expect([report.code, failures(report).join()]).toEqual([
        1,
        expect.stringContaining("label-on-tool-span-only"),
      ]);
    }
    expect(count).toBe(6);
  });

  it("shows the observed value beside the failed check", async () => {
    const broken = changed(example, (spans) => {
      const label = attributesOf(spans.filter(isTool)[1]).find(({ key }) => key === "trustabl.tool.attempt");
      if (label !== undefined) label.value = { intValue: 9 };
    });
    const { code, stdout } = await verify(broken);
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ attempt-count[\s\S]*trustabl\.tool\.attempt = 9, expected 1/);
  });

  it("never passes without any label", async () => {
    const { code, stdout } = await verify(unlabelled(example));
    expect(code).toBe(2);
    expect(stdout).toMatch(/nothing to check: .*\nthere are tool spans, but no label on any span/);
  });

  it("finds a secret that somebody put into a label", async () => {
    const leaking = changed(example, (spans) => {
      for (const label of spans.flatMap(attributesOf)) {
        if (label.key === "trustabl.run_id") label.value = { stringValue: "run of hunter2" };
      }
    });
    expect((await verify(leaking)).code).toBe(0);
    const { code, stdout } = await verify(leaking, ["--secret", "hunter2"]);
    expect(code).toBe(1);
    expect(stdout).toContain("✗ no-content");
    expect(stdout).not.toContain("hunter2");
    const cwd = folderWith({ "secrets.txt": "\r\nother\r\nhunter2\r\n" });
    expect((await verify(leaking, ["--secrets", "secrets.txt"], { cwd })).code).toBe(1);
    expect((await verify(example, ["--secrets", "secrets.txt"], { cwd })).code).toBe(0);
  });

  describe("whose fingerprints are keyed", () => {
    const key = Buffer.from("the key of this deployment, 40 bytes long");
    /** The example with a key: what its tools got and gave is on its spans. */
    const keyed = () =>
      changed(example, (spans) => {
        for (const span of spans.filter(isTool)) {
          const textOf = (name: string) =>
            span.attributes.find(({ key: own }) => own === name)?.value.stringValue as string;
          for (const label of span.attributes) {
            const side = { "trustabl.tool.input_fp": "args", "trustabl.tool.output_fp": "result" }[label.key];
            const content = side && textOf(`ai.toolCall.${side}`);
            if (content === undefined) continue;
            const text = canonicalJson(JSON.parse(content));
            label.value = { stringValue: createHmac("sha256", key).update(text).digest("hex").slice(0, 16) };
          }
        }
      });

    it("recomputes them with the key of a file, and never shows it", async () => {
      const cwd = folderWith({ "key.bin": key });
      expect((await verify(keyed())).code).toBe(1);
      for (const format of FORMATS) {
        const { code, stdout, stderr } = await verify(
          keyed(),
          ["--fingerprint-key", "key.bin", "--format", format],
          { cwd },
        );
        expect(code).toBe(0);
        expect(stdout + stderr).not.toContain(key.toString());
      }
    });

    it("says that they cannot be recomputed where there is no key, and finds those that have none", async () => {
      const { code, stdout } = await verify(keyed(), ["--keyed-fingerprints"]);
      expect(stdout).toContain("cannot be recomputed");
      expect(code).toBe(0);
      expect((await verify(example, ["--keyed-fingerprints"])).stdout).toContain("made without a key");
    });

    it("refuses a key that is too short without showing it, and both options at once", async () => {
      const cwd = folderWith({ "key.bin": "short key" });
      const { code, stderr } = await verify(example, ["--fingerprint-key", "key.bin"], { cwd });
      expect([code, stderr]).toEqual([2, expect.stringContaining("32 bytes or more")]);
      expect(stderr).not.toContain("short key");
      const both = ["--fingerprint-key", "key.bin", "--keyed-fingerprints"];
      expect((await verify(example, both, { cwd })).stderr).toContain("not both");
    });
  });

  it("makes the checks that were asked for", async () => {
    const broken = changed(example, (spans) => {
      for (const span of spans.filter(isTool)) without(span, "trustabl.tool.attempt");
    });
    const ids = (report: { checks: { id: string }[] }) => report.checks.map(({ id }) => id);
    expect(ids(await reported(broken, "--only", "step-order", "--only", "run-identity"))).toEqual([
      "run-identity",
      "step-order",
    ]);
    expect((await reported(broken, "--only", "step-order,run-identity")).code).toBe(0);
    const rest = await reported(broken, "--ignore", "tool-span-labelled, failed-tool-labelled");
    expect(ids(rest)).not.toContain("tool-span-labelled");
    expect(rest.checks).toHaveLength(10);
  });

  it("says that there is no span of the run that was asked for", async () => {
    const { code, stdout } = await verify(example, ["--run", "ffffffffffffffff"]);
    expect(code).toBe(2);
    expect(stdout).toContain("\nthere are no spans of the run that was asked for\n");
  });

  it("judges the run that was asked for", async () => {
    const { runs } = await reported(example);
    expect((await reported(example, "--run", runs[0].runId)).code).toBe(0);
    expect(await reported(example, "--run", "0000000000000000")).toMatchObject({
      code: 2,
      nothing: "no-spans",
    });
  });

  it("counts what cannot be told as a failure with --strict", async () => {
    const dropped = changed(example, (spans) => {
      for (const span of spans.filter(isTool)) {
        without(span, "trustabl.tool.attempt");
        without(span, "trustabl.tool.input_fp");
        Object.assign(span, { droppedAttributesCount: 4 });
      }
    });
    expect((await reported(dropped, "--only", "tool-span-labelled,run-identity")).code).toBe(0);
    expect((await reported(dropped, "--only", "tool-span-labelled,run-identity", "--strict")).code).toBe(1);
  });

  it("counts warnings, when a number of them is one too many", async () => {
    // An agent below a tool call was delegated to, and this one has no handoff id.
    const delegated = changed(example, (spans) => {
      const span = spans.find(({ name }) => name === "ai.generateText.doGenerate") as JsonSpan;
      span.parentSpanId = (spans.find(isTool) as JsonSpan).spanId;
      span.name = "invoke_agent helper";
      span.attributes = [{ key: "gen_ai.operation.name", value: { stringValue: "invoke_agent" } }];
    });
    const { checks } = await reported(delegated);
    const warnings = checks
      .filter(({ level }: { level: string }) => level === "warning")
      .reduce((sum: number, { counts }: { counts: { fail: number } }) => sum + counts.fail, 0);
    expect(warnings).toBe(1);
    expect((await verify(delegated, ["--max-warnings", "1"])).code).toBe(0);
    const { code, stderr } = await verify(delegated, ["--max-warnings", "0"]);
    expect([code, stderr]).toEqual([1, "1 warnings are more than --max-warnings 0\n"]);
  });
});

describe("verify, with a format for programs", () => {
  it.each(FORMATS.filter((format) => format !== "text"))(
    "writes one document for %s, and a line for people beside it",
    async (format) => {
      const broken = changed(example, (spans) =>
        without(spans.find(isTool) as JsonSpan, "trustabl.tool.attempt"),
      );
      for (const [text, code] of [
        [example, 0],
        [broken, 1],
        [unlabelled(example), 2],
        ["", 2],
      ] as const) {
        const outcome = await verify(text, ["--format", format]);
        expect(outcome.code).toBe(code);
        expect(outcome.stderr).toMatch(/^(?:pass|fail|nothing to check): .*\n$/);
        expectDocument(format, outcome.stdout);
        expect((await verify(text, ["--format", format, "--quiet"])).stderr).toBe("");
      }
    },
  );

  it.each(FORMATS.filter((format) => format !== "text"))(
    "writes one document for %s even when a file cannot be read",
    async (format) => {
      const outcome = await verifyFiles(
        { "good.jsonl": example },
        "good.jsonl",
        "missing.jsonl",
        "--format",
        format,
      );
      expect(outcome.code).toBe(2);
      expect(outcome.stderr).toContain("otel-labels: missing.jsonl cannot be read: there is no such file\n");
      expectDocument(format, outcome.stdout);
    },
  );

  function expectDocument(format: string, text: string): void {
    if (format === "json") expect(JSON.parse(text).verdict).toMatch(/pass|fail|nothing-to-check/);
    if (format === "junit") expect(text).toMatch(/^<\?xml [\s\S]*<\/testsuites>\n$/);
    if (format === "html") expect(text).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    if (format === "github") expect(text).toMatch(/^(?:::(?:error|warning|notice) .*\n)+$/);
  }

  it("says nothing with --quiet when everything passes, and everything when not", async () => {
    expect(await verify(example, ["--quiet"])).toEqual({ code: 0, stdout: "", stderr: "" });
    expect((await verify(unlabelled(example), ["--quiet"])).stdout).toContain("nothing to check");
  });

  it("colours text for a terminal, and nothing else", async () => {
    expect((await verify(example, [], { terminal: true })).stdout).toContain("\u001b[32m");
    for (const [argv, world] of [
      [[], {}],
      [["--no-color"], { terminal: true }],
      [[], { terminal: true, env: { NO_COLOR: "1" } }],
      [["--format", "json"], { terminal: true }],
      [["--format", "github"], { terminal: true }],
    ] as const) {
      expect((await verify(example, argv, world)).stdout).not.toContain("\u001b");
    }
  });
});

describe("verify --output", () => {
  it("writes the report to a file, whole, and the verdict to standard error", async () => {
    const cwd = folderWith({ "traces.jsonl": example });
    const argv = ["verify", "traces.jsonl", "--format", "junit", "--output", "report.xml"];
    const { code, stdout, stderr } = await runMain(argv, { cwd });
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toMatch(/^pass: /);
    expect(readFileSync(join(cwd, "report.xml"), "utf8")).toMatch(/<\/testsuites>\n$/);
    expect(readdirSync(cwd).sort()).toEqual(["report.xml", "traces.jsonl"]);
  });

  it("never replaces an input, by whatever name it is called", async () => {
    const cwd = folderWith({ "traces.jsonl": example, key: "k".repeat(32) });
    symlinkSync("traces.jsonl", join(cwd, "link"));
    const refused = (name: string) => ({
      code: 2,
      stdout: "",
      stderr: `otel-labels: --output would replace the input ${name}; name another file\n`,
    });
    for (const command of ["verify", "findings"]) {
      for (const output of ["traces.jsonl", "./traces.jsonl", "link", join(cwd, "traces.jsonl")]) {
        const outcome = await runMain([command, "traces.jsonl", "--output", output], { cwd });
        expect(outcome).toEqual(refused("traces.jsonl"));
      }
    }
    const argv = ["verify", "traces.jsonl", "--fingerprint-key", "key", "--output", "key"];
    expect(await runMain(argv, { cwd })).toEqual(refused("key"));
    expect(readFileSync(join(cwd, "traces.jsonl"), "utf8")).toBe(example);
  });

  it("takes - for standard output", async () => {
    const cwd = folderWith({ "traces.jsonl": example });
    for (const command of ["verify", "findings"]) {
      const plain = await runMain([command, "traces.jsonl"], { cwd });
      expect(await runMain([command, "traces.jsonl", "--output", "-"], { cwd })).toEqual(plain);
    }
    expect(readdirSync(cwd)).toEqual(["traces.jsonl"]);
  });

  it("writes text without colours, whatever the terminal", async () => {
    const cwd = folderWith();
    await verify(example, ["--output", "report.txt"], { cwd, terminal: true });
    expect(readFileSync(join(cwd, "report.txt"), "utf8")).not.toContain("\u001b");
  });

  it("goes through a symbolic link, and keeps the file's mode", async () => {
    const cwd = folderWith({ "real.txt": "old" });
    symlinkSync("real.txt", join(cwd, "link.txt"));
    const { mode } = statSync(join(cwd, "real.txt"));
    linkSync(join(cwd, "real.txt"), join(cwd, "same.txt"));
    await verify(example, ["--output", "link.txt"], { cwd });
    // It is a new file that took the name: whoever reads the old one reads it to its end.
    expect(readFileSync(join(cwd, "same.txt"), "utf8")).toBe("old");
    expect(readFileSync(join(cwd, "real.txt"), "utf8")).toContain("pass: ");
    expect(statSync(join(cwd, "real.txt")).mode).toBe(mode);
    expect(readdirSync(cwd).sort()).toEqual(["link.txt", "real.txt", "same.txt"]);
  });

  it.each([
    ["missing/report.txt", "there is no such folder"],
    ["file.txt/report.txt", "a part of the path is not a folder"],
    ["folder", "it is a directory"],
  ])("says why %s cannot be written, and leaves nothing behind", async (output, reason) => {
    const cwd = folderWith({ "file.txt": "" });
    mkdirSync(join(cwd, "folder"));
    const { code, stderr } = await verify(example, ["--output", output], { cwd });
    expect([code, stderr]).toEqual([2, `otel-labels: ${output} cannot be written: ${reason}\n`]);
    expect(readdirSync(cwd).sort()).toEqual(["file.txt", "folder"]);
  });
});

describe("verify, on files of all kinds", () => {
  it("reads several files as one, in any order", async () => {
    const [first, ...rest] = splitBySpan(example);
    const files = { "a.jsonl": rest.join(""), "b.jsonl.gz": gzipSync(first as string) };
    const { code, stdout } = await verifyFiles(files, "a.jsonl", "b.jsonl.gz");
    expect(stdout).toMatch(/\npass: /);
    expect(code).toBe(0);
  });

  it("reads a file whose name begins with a dash", async () => {
    expect((await verifyFiles({ "-x.jsonl": example }, "--", "-x.jsonl")).code).toBe(0);
  });

  it("tells gzip by its first bytes, and says when it is cut off", async () => {
    const packed = gzipSync(example);
    expect((await verify(packed)).code).toBe(0);
    const { code, stdout } = await verify(packed.subarray(0, packed.length - 20));
    expect([code, stdout]).toEqual([
      2,
      expect.stringContaining("the compressed input is damaged or cut off"),
    ]);
  });

  it("reads zstd where this Node.js can, and says what to do where it cannot", async () => {
    const { zstdCompressSync } = zlib as { zstdCompressSync?: (text: string) => Uint8Array };
    if (zstdCompressSync !== undefined) {
      expect((await verify(zstdCompressSync(example))).code).toBe(0);
      return;
    }
    const { code, stdout } = await verify(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x24, 0x00));
    expect([code, stdout]).toEqual([2, expect.stringContaining("decompress it first")]);
  });

  it.each([
    [
      "zstd in parts, as the Collector writes it",
      Uint8Array.of(0, 0, 3, 0xe8, 0x28, 0xb5, 0x2f, 0xfd, 0x24, 0),
      "export without compression",
    ],
    ["an empty file", "", "the input is empty"],
    ["Jaeger JSON", '{"data":[{"traceID":"1","spans":[]}]}', "this is Jaeger JSON, not OTLP"],
    ["Zipkin JSON", '[{"traceId":"1","id":"2","timestamp":1}]', "this is Zipkin JSON, not OTLP"],
    [
      "protobuf",
      Uint8Array.of(0x0a, 0x05, 0x12, 0x03, 0x0a, 0x01, 0x78),
      "the input is binary, perhaps OTLP protobuf",
    ],
    ["UTF-16", Buffer.from('{"resourceSpans":[]}', "utf16le"), "the input is UTF-16 text"],
    ["text", "hello\n", "this line is not JSON"],
  ])("says what %s is, and checks nothing", async (_name, content, sentence) => {
    const { code, stdout, stderr } = await verifyFiles({ "traces.json": content }, "traces.json");
    expect([code, stderr]).toEqual([2, ""]);
    expect(stdout).toContain(sentence);
    expect(stdout).toContain("(traces.json");
  });

  it("fails when one of two files cannot be understood", async () => {
    const files = { "good.jsonl": example, "jaeger.json": '{"data":[{"traceID":"1","spans":[]}]}' };
    const { code, stdout } = await verifyFiles(files, "good.jsonl", "jaeger.json");
    expect(code).toBe(1);
    expect(stdout).toMatch(/\nfail: /);
  });

  it("checks nothing when one of two files is not there", async () => {
    const { code, stdout, stderr } = await verifyFiles(
      { "good.jsonl": example },
      "good.jsonl",
      "missing.jsonl",
    );
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toBe("otel-labels: missing.jsonl cannot be read: there is no such file\n");
  });

  it("says of a file that cannot be understood what to look at, and not that a provider is missing", async () => {
    for (const text of ["hello", "\u001f"]) {
      const { code, stdout } = await verify(text);
      expect(code).toBe(2);
      expect(stdout).toContain("\nthere are no spans; put right first what is said of the input\n");
      expect(stdout).not.toContain("provider");
    }
    expect((await verify("{}")).stdout).toContain("there are no spans: is the provider registered");
  });

  it("says that a folder is one", async () => {
    const { code, stderr } = await verifyFiles({ "folder/traces.jsonl": example }, "folder");
    expect([code, stderr]).toEqual([
      2,
      "otel-labels: folder cannot be read: it is a directory; name the files in it\n",
    ]);
  });

  it("names the line of what is damaged, and checks the rest", async () => {
    const { code, stdout } = await verifyFiles(
      { "traces.jsonl": `${example}{"broken": \n${example}` },
      "traces.jsonl",
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/this JSON value is damaged \(traces\.jsonl:2\)/);
    expect(stdout).toContain("16 duplicate spans");
  });

  it("says how far it is on a terminal, when it takes long", async () => {
    // Each chunk comes late, as from a slow pipe.
    const slow = async function* () {
      for (let at = 0; at < example.length; at += 20_000) {
        await new Promise((resolve) => setTimeout(resolve, 300));
        yield Buffer.from(example.slice(at, at + 20_000));
      }
    };
    const world = { stdin: slow(), terminal: true };
    const { code, stderr } = await runMain(["verify", "-"], world);
    expect(code).toBe(0);
    expect(stderr.startsWith("\rstandard input  0 MB\u001b[K")).toBe(true);
    expect(stderr.endsWith("\r\u001b[K")).toBe(true);
    expect((await runMain(["verify", "-", "--quiet"], { ...world, stdin: slow() })).stderr).toBe("");
    expect((await runMain(["verify", "-"], { stdin: slow() })).stderr).toBe("");
  });
});

/** The example's spans, one JSON line each. */
function splitBySpan(text: string): string[] {
  const lines: string[] = [];
  changed(text, (spans) => {
    for (const span of spans)
      lines.push(`${JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })}\n`);
  });
  return lines.reverse();
}
