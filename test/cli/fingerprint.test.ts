import { describe, expect, it } from "vitest";
import { canonicalFp } from "../../src/fingerprint/index.ts";
import { folderWith } from "./support/folder.ts";
import { runMain } from "./support/run-main.ts";

const fingerprint = (text: string | Uint8Array, ...argv: string[]) =>
  runMain(["fingerprint", ...argv], { stdin: text });

describe("fingerprint", () => {
  it("prints the canonical text and its fingerprint", async () => {
    expect(await fingerprint('{"to":"JFK","from":"SFO","date":"2026-10-01"}')).toEqual({
      code: 0,
      stdout: 'canonical    {"date":"2026-10-01","from":"SFO","to":"JFK"}\nfingerprint  c1baebf63d8d7587\n',
      stderr: "",
    });
  });

  it("prints one JSON object for --json", async () => {
    const { stdout } = await fingerprint('{"b":"\\u00e9","trace_id":"x"}', "--json");
    expect(JSON.parse(stdout)).toEqual({ canonical: '{"b":"é"}', fingerprint: canonicalFp({ b: "é" }) });
  });

  it("reads a file, and standard input for -", async () => {
    const cwd = folderWith({ "arguments.json": "[1, 2]" });
    const file = await runMain(["fingerprint", "arguments.json"], { cwd });
    expect(file.stdout).toContain("canonical    [1,2]\n");
    expect(await fingerprint("[1,2]", "-")).toEqual(file);
  });

  it.each([
    ["the last of two members with one name, as JSON.parse", '{"a":1,"a":2}', '{"a":2}'],
    ["a byte order mark", "\ufeff{}", "{}"],
    ["a member called __proto__", '{"__proto__":1}', '{"__proto__":1}'],
    ["any JSON value", "null", "null"],
  ])("takes %s", async (_name, text, canonical) => {
    expect((await fingerprint(text)).stdout).toContain(`canonical    ${canonical}\n`);
  });

  it.each([
    [
      "an integer too large to be exact",
      '{"id":12345678901234567890}',
      "unsafe_integer: cannot be canonicalised: integer beyond 2^53 - 1 at position 0",
    ],
    [
      "a number that is infinite in JavaScript",
      "[1,1e999]",
      "not_finite: cannot be canonicalised: number that is not finite at position 1",
    ],
    [
      "half of a character",
      '{"a":["\\ud800"]}',
      "unpaired_surrogate: cannot be canonicalised: unpaired surrogate at position 0.0",
    ],
  ])("refuses %s, with code and position", async (_name, text, sentence) => {
    expect(await fingerprint(text)).toEqual({ code: 1, stdout: "", stderr: `${sentence}\n` });
    const { stdout } = await fingerprint(text, "--json");
    expect(JSON.parse(stdout).error.code).toBe(sentence.split(":")[0]);
  });

  it("does not take text that is not JSON, and repeats nothing of it", async () => {
    expect(await fingerprint('{"password": hunter2}')).toEqual({
      code: 2,
      stdout: "",
      stderr: "otel-labels: standard input is not one JSON text\n",
    });
    expect((await fingerprint("")).stderr).toMatch(/standard input is not one JSON text/);
    expect((await fingerprint("{}{}")).code).toBe(2);
  });

  it("does not take bytes that are not UTF-8", async () => {
    const { code, stderr } = await fingerprint(Uint8Array.of(0x22, 0xff, 0x22));
    expect([code, stderr]).toEqual([2, "otel-labels: standard input is not UTF-8 text\n"]);
  });

  it("says why a file cannot be read", async () => {
    const { code, stderr } = await runMain(["fingerprint", "missing.json"], { cwd: folderWith() });
    expect([code, stderr]).toEqual([2, "otel-labels: missing.json cannot be read: there is no such file\n"]);
  });
});
