import { describe, expect, it } from "vitest";
import { parseArguments } from "../../../src/cli/arguments/parse.ts";

const OPTIONS = {
  listen: { value: "PORT", optional: /^\d+$/, help: "" },
  text: { value: "TEXT", help: "" },
  many: { value: "TEXT", many: true, help: "" },
  flag: { help: "" },
} as const;

const parse = (...argv: string[]) => parseArguments(argv, OPTIONS, "--help");

describe("parseArguments", () => {
  it("reads values with a space and with an equals sign, before and after other arguments", () => {
    const given = parse("a", "--text", "one", "b", "--many=x", "--many", "y", "--flag");
    expect(given.positionals).toEqual(["a", "b"]);
    expect(given.text("text")).toBe("one");
    expect(given.texts("many")).toEqual(["x", "y"]);
    expect([given.has("flag"), given.has("listen")]).toEqual([true, false]);
  });

  it("takes an optional value only when it looks like one", () => {
    expect(parse("--listen", "99", "a").text("listen")).toBe("99");
    expect(parse("--listen=99").text("listen")).toBe("99");
    for (const argv of [["--listen"], ["--listen", "--flag"], ["--listen", "file"]]) {
      const given = parse(...argv);
      expect([given.has("listen"), given.text("listen")]).toEqual([true, undefined]);
    }
    expect(parse("--listen", "file").positionals).toEqual(["file"]);
  });

  it("takes a value that begins with a dash behind an equals sign", () => {
    expect(parse("--text=--flag").text("text")).toBe("--flag");
    expect(() => parse("--text", "--flag")).toThrow("--text needs a value: --text TEXT");
    expect(parse("--text", "-").text("text")).toBe("-");
  });

  it("takes everything behind -- for arguments", () => {
    expect(parse("--flag", "--", "--listen", "5", "--nothing").positionals).toEqual([
      "--listen",
      "5",
      "--nothing",
    ]);
  });

  it("knows no option by the name of an object's member", () => {
    expect(() => parse("--toString")).toThrow("there is no option --toString");
    expect(() => parse("--__proto__")).toThrow("there is no option --__proto__");
  });
});
