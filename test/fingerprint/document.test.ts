import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  CANONICALIZATION_ERROR_CODES,
  canonicalFp,
  canonicalJson,
  VOLATILE_KEYS,
} from "../../src/fingerprint/index.ts";

const document = readFileSync(new URL("../../docs/fingerprints.md", import.meta.url), "utf8");

const section = (title: string): string => document.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "";

describe("docs/fingerprints.md", () => {
  it("has the list of volatile members", () => {
    const paragraph = section("Volatile members").split("\n\n")[1] ?? "";
    expect([...paragraph.matchAll(/`([^`]+)`/g)].map(([, key]) => key)).toEqual(VOLATILE_KEYS);
  });

  it("has every code of a refusal", () => {
    const codes = [...section("What has no fingerprint").matchAll(/^\| `(\w+)` \| (?!what)/gm)].map(
      ([, code]) => code,
    );
    expect(codes).toEqual(CANONICALIZATION_ERROR_CODES);
  });

  it("has true fingerprints", () => {
    const rows = [...section("How it is made").matchAll(/^\| `([^`]+)`.*\| `([0-9a-f]{16})` \|$/gm)];
    expect(rows).toHaveLength(4);
    for (const [, input, fingerprint] of rows) expect(canonicalFp(JSON.parse(input!))).toBe(fingerprint);
  });

  it("has true results behind its calls", () => {
    const call = { from: "SFO", to: "JFK", date: "2026-10-01", request_id: "r-81" };
    expect(document).toContain(
      'const call = { from: "SFO", to: "JFK", date: "2026-10-01", request_id: "r-81" };',
    );
    expect(document).toContain(`canonicalJson(call); // ${canonicalJson(call)}`);
    expect(document).toContain(`canonicalFp(call); // ${canonicalFp(call)}`);
  });
});
