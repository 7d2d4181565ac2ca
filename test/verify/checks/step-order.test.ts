import { describe, expect, it } from "vitest";
import { call, findingsOf, judged, RUN, root } from "../support/build.ts";

const check = "step-order";
const calls = (...steps: readonly number[]) =>
  steps.map((step, index) => call(`c${index}`, { step, start: 100 + index * 100, end: 150 + index * 100 }));

describe(check, () => {
  it("passes when steps follow the order of the calls", () => {
    expect(judged(check, [root(), ...calls(0, 1, 2)])).toBe("pass");
  });

  it("is not applicable without calls", () => {
    expect(judged(check, [root()])).toBe("not-applicable");
  });

  it("fails on a step index that two calls carry, and shows it", () => {
    const [finding] = findingsOf(check, [root(), ...calls(0, 1, 1)]);
    expect(finding).toMatchObject({ reason: "duplicate", observed: "1", runId: RUN });
    expect(finding?.related?.spanId).not.toBe(finding?.span?.spanId);
  });

  it("fails when a lower index starts after a higher one had ended", () => {
    expect(judged(check, [root(), ...calls(1, 0, 2)])).toBe("fail: disorder");
  });

  it("fails on a labelled call without a step index", () => {
    const last = call("last", { attributes: { "trustabl.step_index": undefined } });
    expect(judged(check, [root(), ...calls(0, 1), last])).toBe("fail: missing");
  });

  it("allows ties and clocks that differ a little", () => {
    const close = [
      call("a", { step: 1, start: 100, end: 105 }),
      call("b", { step: 0, start: 112, end: 120 }),
    ];
    expect(judged(check, [root(), ...close])).toBe("pass");
    expect(judged(check, [root(), ...close], { skewMilliseconds: 5 })).toBe("fail: disorder");
  });

  it("is unknown when calls overlap: the step is taken inside the call", () => {
    const parallel = [
      call("a", { step: 1, start: 100, end: 900 }),
      call("b", { step: 0, start: 300, end: 400 }),
    ];
    expect(judged(check, [root(), ...parallel])).toBe("unknown: overlap");
  });

  it("is unknown when indices are missing", () => {
    expect(judged(check, [root(), ...calls(0, 2)])).toBe("unknown: gap");
    expect(judged(check, [root(), ...calls(1, 2)])).toBe("unknown: gap");
  });

  it("is unknown when the index may have been dropped", () => {
    const lost = call("a", { attributes: { "trustabl.step_index": undefined }, droppedAttributes: 1 });
    expect(judged(check, [root(), lost])).toBe("unknown: attributes-dropped");
  });

  it("numbers the runs apart", () => {
    const other = { "trustabl.run_id": "00000000000000bb" };
    const spans = [
      root(),
      ...calls(0, 1),
      root("r2", { attributes: other }),
      call("x", { parent: "r2", attributes: other }),
    ];
    expect(judged(check, spans)).toBe("pass");
  });

  it("goes on counting over the traces of one run", () => {
    const trace = "22222222222222222222222222222222";
    const spans = [
      root("root", { end: 300 }),
      ...calls(0, 1),
      root("later", { trace, start: 5_000, end: 6_000 }),
      call("z", { trace, parent: "later", step: 2, start: 5_100 }),
    ];
    expect(judged(check, spans)).toBe("pass");
  });

  it("puts spans without a time in no order", () => {
    const timeless = { ...call("t", { step: 0 }), start: undefined, end: undefined };
    expect(judged(check, [root(), timeless, call("b", { step: 1 })])).toBe("pass");
  });
});
