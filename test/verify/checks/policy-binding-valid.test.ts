import { describe, expect, it } from "vitest";
import { POLICY_BINDING_ATTRIBUTES } from "../../../src/attributes/registry.ts";
import { binding, call, findingsOf, judged, root, span } from "../support/build.ts";

const check = "policy-binding-valid";
const bound = (...events: ReturnType<typeof binding>[]) => [root("root", { events })];

describe(check, () => {
  it("passes when each event has its six fields, one event for each policy", () => {
    expect(judged(check, bound(binding("egress"), binding("safety")))).toBe("pass");
  });

  it("is not applicable without policy bindings", () => {
    expect(judged(check, [root()])).toBe("not-applicable");
  });

  it.each(Object.keys(POLICY_BINDING_ATTRIBUTES))("fails when %s is missing", (name) => {
    const [finding] = findingsOf(check, bound(binding("egress", { [name]: undefined })));
    expect(finding).toMatchObject({ reason: "field-missing", attribute: name, observed: "nothing" });
  });

  it.each([
    ["trustabl.policy.binding.sha256", "AB".repeat(32)],
    ["trustabl.policy.binding.sha256", "ab".repeat(16)],
    ["trustabl.policy.binding.sha256", ["ab".repeat(32), "cd".repeat(32)]],
    ["trustabl.policy.binding.type", "firewall"],
    ["trustabl.policy.binding.required", "true"],
    ["trustabl.policy.binding.source", "somewhere"],
    ["trustabl.policy.binding.id", ""],
    ["trustabl.policy.binding.version", 3],
  ])("fails on %s = %j", (name, value) => {
    expect(judged(check, bound(binding("egress", { [name]: value })))).toBe("fail: field-wrong-form");
  });

  it.each([
    ["trustabl.policy.binding.sha256", "ab".repeat(8), "hash-cut", "shorter than 64 characters"],
    ["trustabl.policy.binding.sha256", "ab".repeat(20), "field-wrong-form", "has not its form"],
    ["trustabl.policy.binding.type", "content_saf", "field-cut", "OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT"],
  ])("says of %s = %s that it is a %s", (name, value, reason, words) => {
    const [finding] = findingsOf(check, bound(binding("egress", { [name]: value })));
    expect(finding).toMatchObject({ reason, attribute: name, message: expect.stringContaining(words) });
    expect(JSON.stringify(finding)).not.toContain(`"${value}"`);
  });

  it("fails on two events for one policy of a span, and names the policy", () => {
    const [finding] = findingsOf(check, bound(binding("egress"), binding("egress")));
    expect(finding).toMatchObject({ reason: "duplicate-policy", observed: "egress" });
  });

  it("passes when two spans bind the same policy: each run has its own", () => {
    expect(judged(check, [...bound(binding("egress")), root("r2", { events: [binding("egress")] })])).toBe(
      "pass",
    );
  });

  it("fails on a field that is none of the six", () => {
    expect(judged(check, bound(binding("egress", { "trustabl.policy.binding.hash": "x" })))).toBe(
      "fail: field-unknown",
    );
  });

  it("fails on bindings that are written as attributes of the span", () => {
    const spans = [root("root", { attributes: { "trustabl.policy.binding.id": "egress" } })];
    expect(judged(check, spans)).toBe("fail: not-an-event");
  });

  it("fails on a tool span", () => {
    expect(judged(check, [root(), call("a", { events: [binding("egress")] })])).toBe("fail: on-tool-span");
  });

  it("is unknown when events of a labelled root were dropped: bindings are the oldest", () => {
    expect(judged(check, [root("root", { droppedEvents: 3 })])).toBe("unknown: events-dropped");
    expect(judged(check, [root(), span("x", { droppedEvents: 3 })])).toBe("not-applicable");
  });
});
