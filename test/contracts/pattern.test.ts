import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Expression, parsePattern } from "../../src/contracts/pattern/parse.ts";
import { compilePattern, patternFault } from "../../src/contracts/pattern/pattern.ts";

describe("a pattern", () => {
  it.each([
    "^$",
    "^[0-9]{1,12}$",
    "^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$",
    "^\\d{4}-\\d{2}-\\d{2}$",
    "^[^@]+@[^@.]+(\\.[^@.]+)+$",
    "^(?:main|master|release/[0-9]+)$",
    "^(\\d{3}-)?\\d{4}$",
    "^\\p{L}+(?:[ -]\\p{L}+)*$",
    "^[\\w.-]{1,64}$",
    "^(?:a|b)*$",
  ])("is taken where every repetition is decided by its next character: %s", (pattern) => {
    expect(patternFault(pattern)).toBeUndefined();
  });

  it.each([
    ["^(a+)+$", /next character/],
    ["^(?:a*)*$", /at least one character/],
    ["^(?:a?)+$", /at least one character/],
    ["^(?:a|a)*$", /next character/],
    ["^(?:a|ab)*$", /next character/],
    ["^(?:[a-z]+[0-9]*)*$", /next character/],
    ["^a*a*$", /next character/],
    ["^.*foo$", /next character/],
    ["^(?:\\p{L}|é)+$", /next character/],
    ["^[a-z]{1,20}[a-z]{1,20}$", /next character/],
    ["^(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)$", /next character/],
    ["^(?:|)(?:|)$", /at most one of the alternatives/],
    ["^(a)\\1$", /back-references/],
    ["^(?=a)a$", /lookaround/],
    ["^(?<!a)a$", /lookaround/],
    ["^(?<name>a)$", /names/],
    ["^\\bword\\b$", /back-references|\\b/],
    ["^a+?$", /greedy/],
    ["^a{2}{3}$", /greedy/],
    ["^a{3,2}$", /at least one/],
    ["^a|b$", /as a whole/],
    ["a", /anchored/],
    ["^a", /anchored/],
    ["a$", /anchored/],
    ["^a\\$", /anchored/],
    ["^a$b$", /anchored/],
    ["^(a$", /closed/],
    ["^a)$", /anchored/],
    ["^[b-a]$", /valid/],
    ["^\\p{Nonsense}$", /valid/],
    ["^(?:[a-z]{100}){100}$", /written out/],
    [`^${"a".repeat(1_001)}$`, /at most 1000/],
    [`^${"(".repeat(30)}a${")".repeat(30)}$`, /inside one another/],
  ])("is refused: %s", (pattern, why) => {
    expect(patternFault(pattern)).toMatch(why);
  });
});

const piece = fc.constantFrom("a", "b", "[ab]", "[^a]", ".", "\\d", "-", "\\w", "1");
const quantifier = fc.constantFrom("", "", "?", "*", "+", "{2}", "{0,2}", "{1,}");
const body: fc.Arbitrary<string> = fc.letrec<{ body: string }>((tie) => ({
  body: fc
    .array(
      fc
        .tuple(
          fc.oneof(
            { depthSize: "small" },
            piece,
            fc
              .array(tie("body"), { minLength: 1, maxLength: 3 })
              .map((branches) => `(?:${branches.join("|")})`),
          ),
          quantifier,
        )
        .map(([one, times]) => one + times),
      { minLength: 1, maxLength: 4 },
    )
    .map((parts) => parts.join("")),
})).body;

/** A matcher that goes back as regular-expression engines do, and counts the characters that it looks at. */
function match(expression: Expression, text: string): { readonly matched: boolean; readonly looks: number } {
  let looks = 0;
  const run = (one: Expression, at: number, then: (at: number) => boolean): boolean => {
    switch (one.kind) {
      case "atom": {
        looks++;
        const code = text.charCodeAt(at);
        return at < text.length && (one.set & (1n << BigInt(Math.min(code, 128)))) !== 0n && then(at + 1);
      }
      case "sequence": {
        const from = (part: number, place: number): boolean =>
          part === one.parts.length
            ? then(place)
            : run(one.parts[part]!, place, (next) => from(part + 1, next));
        return from(0, at);
      }
      case "choice":
        return one.branches.some((branch) => run(branch, at, then));
      case "repeat": {
        const again = (count: number, place: number): boolean =>
          (count < one.max &&
            run(one.body, place, (next) => (next > place || count < one.min) && again(count + 1, next))) ||
          (count >= one.min && then(place));
        return again(0, at);
      }
    }
  };
  return { matched: run(expression, 0, (at) => at === text.length), looks };
}

describe("a pattern that is taken", () => {
  const taken = body.map((inside) => `^${inside}$`).filter((pattern) => patternFault(pattern) === undefined);

  it("is matched in a number of steps that grows as the text does", () => {
    fc.assert(
      fc.property(
        taken,
        fc.stringMatching(/^[ab1-]{1,4}$/),
        fc.constantFrom("", "!", "a"),
        (pattern, unit, end) => {
          const expression = parsePattern(pattern);
          const looks = (times: number) => match(expression, unit.repeat(times) + end).looks;
          // Twice the text, twice the steps, and what the pattern's own size adds: never their square.
          expect(looks(80)).toBeLessThanOrEqual(2.2 * looks(40) + 64 * pattern.length);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("means to this reading of it what it means to the engine", () => {
    fc.assert(
      fc.property(taken, fc.stringMatching(/^[ab1-]{0,8}$/), (pattern, text) => {
        expect(match(parsePattern(pattern), text).matched).toBe(compilePattern(pattern).test(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it("is run on the longest text that a contract may take", () => {
    const text = "a".repeat(1_048_576);
    for (const pattern of ["^(?:a|b)*$", "^[a-z]*$", "^(?:[a-z]-?)+$"]) {
      expect(patternFault(pattern)).toBeUndefined();
      expect(compilePattern(pattern).test(text)).toBe(true);
      expect(compilePattern(pattern).test(`${text}!`)).toBe(false);
    }
  });
});
