import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SPAN_ATTRIBUTES } from "../../../src/attributes/registry.ts";
import { call, findingsOf, judged, root, span } from "../support/build.ts";

const check = "label-values-valid";
const withLabel = (name: string, value: unknown) => [root(), call("a", { attributes: { [name]: value } })];

describe(check, () => {
  it("passes when every value has its form", () => {
    expect(judged(check, [root(), call("a")])).toBe("pass");
  });

  it("is not applicable without labels", () => {
    expect(judged(check, [span("a")])).toBe("not-applicable");
  });

  it.each([
    ["trustabl.tool.side_effect", "none", "a text of 4 characters"],
    ["trustabl.tool.error_class", "TIMEOUT", "a text of 7 characters"],
    ["trustabl.tool.input_fp", "0123456789ABCDEF", "a text of 16 characters"],
    ["trustabl.tool.output_fp", 12, "a number"],
    ["trustabl.tool.attempt", 0, "a number"],
    ["trustabl.tool.attempt", 1.5, "a number"],
    ["trustabl.tool.attempt", Number.NaN, "a number"],
    ["trustabl.step_index", "0", "a text of 1 character"],

    ["trustabl.run_id", "", "a text of 0 characters"],
    ["trustabl.run_id", "x".repeat(129), "a text of 129 characters"],
    ["trustabl.run_id", "a\u0000b", "a text of 3 characters"],
    ["trustabl.run_id", ["a", "b"], "a list of 2"],
    ["trustabl.run_id", { a: 1 }, "a nested value"],
    ["trustabl.run_id", new Uint8Array(8), "8 bytes"],
    ["trustabl.run_id", true, "true or false"],
  ])("fails on %s = %s and shows kind and length, never the value", (name, value, observed) => {
    const [finding] = findingsOf(check, withLabel(name, value));
    expect(finding).toMatchObject({ reason: "wrong-form", attribute: name, observed });
  });

  it("says that a fingerprint was cut by a length limit", () => {
    const [finding] = findingsOf(check, withLabel("trustabl.tool.input_fp", "0123456789ab"));
    expect(finding).toMatchObject({ reason: "truncated", observed: "a text of 12 characters" });
    expect(finding?.message).toContain("OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT");
  });

  it.each([
    ["trustabl.exit_reason", "final", "truncated"],
    ["trustabl.exit_reason", "fi", "wrong-form"],
    ["trustabl.exit_reason", "finally", "wrong-form"],
    ["trustabl.tool.side_effect", "irrevers", "truncated"],
    ["trustabl.tool.output_fp", "0123-4567", "wrong-form"],
  ])("says of %s = %s that it is %s", (name, value, reason) => {
    const [finding] = findingsOf(check, withLabel(name, value));
    expect(finding).toMatchObject({ reason, attribute: name });
    expect(JSON.stringify(finding)).not.toContain(`"${value}"`);
  });

  it("fails on a name that the contract does not know", () => {
    const [finding] = findingsOf(check, withLabel("trustabl.tool.args", 1));
    expect(finding).toMatchObject({ reason: "unknown-name", attribute: "trustabl.tool.args" });
  });

  it("does not repeat an unknown name that could be content", () => {
    const [finding] = findingsOf(check, withLabel("trustabl.Bob Smith 4711", 1));
    expect(finding).toMatchObject({ reason: "unknown-name", attribute: "a name of 23 characters" });
  });

  it("fails on an unknown event", () => {
    const spans = [span("a", { events: [{ name: "trustabl.note", attributes: {} }] })];
    expect(judged(check, spans)).toBe("fail: unknown-event");
  });

  it.each([
    "trustabl.contract_id",
    "trustabl.contract_hash",
    "trustabl.agent.id",
    "trustabl.bind.method",
    "trustabl.verdict",
    "trustabl.constraint.decision",
  ])("leaves %s to its own producer", (name) => {
    expect(judged(check, withLabel(name, "anything at all"))).toBe("pass");
  });

  it("takes a name without a value for one that is not there", () => {
    expect(judged(check, withLabel("trustabl.tool.side_effect", null))).toBe("pass");
  });

  it("never shows a value of the wrong form, whatever it is", () => {
    const names = Object.keys(SPAN_ATTRIBUTES);
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.string({ minLength: 3 }), (name, text) => {
        const shown = findingsOf(check, withLabel(name, `[${text}]\n`)).map(({ observed }) => observed ?? "");
        return shown.length > 0 && shown.every((words) => /^a text of \d+ characters$/.test(words));
      }),
    );
  });
});
