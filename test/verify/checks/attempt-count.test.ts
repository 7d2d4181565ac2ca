import { describe, expect, it } from "vitest";
import { verify } from "../../../src/verify/index.ts";
import { call, findingsOf, judged, resultOf, root } from "../support/build.ts";

const check = "attempt-count";
const same = { q: "same" };
const calls = (...attempts: readonly (number | undefined)[]) =>
  attempts.map((attempt, step) =>
    call(`c${step}`, {
      step,
      args: same,
      start: 100 + step * 100,
      attributes: { "trustabl.tool.attempt": attempt },
    }),
  );

describe(check, () => {
  it("passes when equal calls are counted 1, 2, 3", () => {
    expect(judged(check, [root(), ...calls(1, 2, 3)])).toBe("pass");
  });

  it("is not applicable without calls", () => {
    expect(judged(check, [root()])).toBe("not-applicable");
  });

  it("fails on a repeat, and shows both numbers", () => {
    const [finding] = findingsOf(check, [root(), ...calls(1, 1)]);
    expect(finding).toMatchObject({ reason: "repeat", observed: "1", expected: "2" });
  });

  it("fails on a restart", () => {
    expect(judged(check, [root(), ...calls(1, 2, 1)])).toBe("fail: restart");
  });

  it("fails on a jump, and on a count that does not begin with 1", () => {
    expect(judged(check, [root(), ...calls(1, 3)])).toBe("fail: jump");
    expect(judged(check, [root(), ...calls(2)])).toBe("fail: jump");
  });

  it("takes calls by their step, also past one that has none", () => {
    const spans = [
      call("late", { args: same, step: 2, attempt: 3, start: 100 }),
      call("between", {
        args: same,
        attempt: 2,
        start: 200,
        attributes: { "trustabl.step_index": undefined },
      }),
      call("early", { args: same, step: 0, attempt: 1, start: 300 }),
    ];
    expect(judged(check, [root(), ...spans])).toBe("pass");
  });

  it("counts different tools and different arguments apart", () => {
    const spans = [
      call("a", { args: {}, tool: "one", step: 0 }),
      call("b", { args: {}, tool: "two", step: 1 }),
      call("c", { args: { q: 1 }, tool: "one", step: 2 }),
      call("d", { args: {}, tool: "one", step: 3, attempt: 2 }),
    ];
    expect(judged(check, [root(), ...spans])).toBe("pass");
  });

  it("blames the calls that are counted wrongly, and none beside them", () => {
    const spans = [
      root(),
      ...calls(1, 1),
      call("right", { args: { q: "other" }, step: 2 }),
      call("too", { args: { q: "other" }, step: 3, attempt: 2 }),
    ];
    const result = resultOf(verify(spans), check);
    expect(result).toMatchObject({ counts: { pass: 1, fail: 1, unknown: 0 }, omitted: 0 });
    expect(result.findings).toHaveLength(1);
  });

  it("accepts a count by the arguments alone, and says so", () => {
    const spans = [
      root(),
      call("a", { args: {}, tool: "one", step: 0 }),
      call("b", { args: {}, tool: "two", step: 1, attempt: 2 }),
    ];
    const result = resultOf(verify(spans), check);
    expect(result.outcome).toBe("pass");
    expect(result.notes.join()).toContain("fingerprint alone");
  });

  it("counts calls without a fingerprint by their tool", () => {
    const none = { "trustabl.tool.input_fp": undefined };
    const spans = [call("a", { attributes: none }), call("b", { step: 1, attempt: 2, attributes: none })];
    expect(judged(check, [root(), ...spans])).toBe("pass");
  });

  describe("of calls whose fingerprints are switched off", () => {
    const hidden = (...attempts: readonly number[]) =>
      attempts.map((attempt, step) =>
        call(`h${step}`, { step, attempt, attributes: { "trustabl.tool.input_fp": undefined } }),
      );

    it("is unknown when several calls, each counted 1, 2, 3, explain the attempts", () => {
      expect(judged(check, [root(), ...hidden(1, 1, 2, 2, 1, 3)])).toBe("unknown: hidden");
    });

    it("fails when nothing explains them", () => {
      expect(judged(check, [root(), ...hidden(1, 1, 2, 2, 2)])).toBe("fail: repeat");
      expect(judged(check, [root(), ...hidden(1, 1, 3)])).toBe("fail: repeat");
    });

    it("is unknown when a call that would explain them is not in the export", () => {
      const [first, second, , fourth] = hidden(1, 1, 2, 3);
      expect(
        judged(
          check,
          [root(), first, second, fourth].map((one) => one as never),
        ),
      ).toBe("unknown: hidden");
    });
  });

  it("orders calls by step, not by time", () => {
    const [first, second] = calls(1, 2);
    const swapped = [second, first].map((one, index) => ({
      ...(one as NonNullable<typeof one>),
      start: BigInt(index),
    }));
    expect(judged(check, [root(), ...swapped])).toBe("pass");
  });

  it("is unknown on a jump where steps are missing too: the calls between are not in the export", () => {
    const gone = [call("a", { args: same }), call("c", { args: same, step: 2, attempt: 3 })];
    expect(judged(check, [root(), ...gone])).toBe("unknown: gap");
  });

  it("fails on a repeat even so: no missing span explains it", () => {
    const gone = [call("a", { args: same }), call("c", { args: same, step: 2, attempt: 1 })];
    expect(judged(check, [root(), ...gone])).toBe("fail: repeat");
  });

  it("is unknown where a call carries no attempt", () => {
    expect(judged(check, [root(), ...calls(1, undefined, 3)])).toBe("unknown: no-attempt");
  });
});
