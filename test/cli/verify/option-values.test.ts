import { describe, expect, it } from "vitest";
import { parseAddress, parseCount, parseDuration } from "../../../src/cli/verify/option-values.ts";

describe("parseDuration", () => {
  it.each([
    ["5s", 5_000],
    ["500ms", 500],
    ["2m", 120_000],
    ["1.5s", 1_500],
    ["3", 3_000],
  ])("reads %s", (text, milliseconds) => {
    expect(parseDuration("--idle", text)).toBe(milliseconds);
  });

  it.each(["", "0s", "-1s", "5h", "s", "5 s", "1e3", "999999999m"])("refuses %j", (text) => {
    expect(() => parseDuration("--idle", text)).toThrow("--idle needs a time such as 5s, 500ms or 2m");
  });
});

describe("parseAddress", () => {
  it.each([
    ["0", { host: "127.0.0.1", port: 0 }],
    ["4318", { host: "127.0.0.1", port: 4318 }],
    ["localhost:1", { host: "localhost", port: 1 }],
    ["0.0.0.0:65535", { host: "0.0.0.0", port: 65_535 }],
    ["[::1]:4318", { host: "::1", port: 4318 }],
  ])("reads %s", (text, address) => {
    expect(parseAddress("--listen", text)).toEqual(address);
  });

  it.each(["", "65536", "http://x:1", ":4318", "host:", "a b:1"])("refuses %j", (text) => {
    expect(() => parseAddress("--listen", text)).toThrow(
      "--listen needs a port from 0 to 65535, or HOST:PORT",
    );
  });
});

describe("parseCount", () => {
  it("reads whole numbers of 0 or more, and nothing else", () => {
    expect(parseCount("--max-warnings", "0")).toBe(0);
    expect(parseCount("--max-warnings", "12")).toBe(12);
    for (const text of ["", "-1", "1.5", "1e3", "many"]) {
      expect(() => parseCount("--max-warnings", text)).toThrow(
        "--max-warnings needs a whole number of 0 or more",
      );
    }
  });
});
