import type { Span } from "@opentelemetry/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type PolicySet, RequiredPolicyError, TrustablError, withRun } from "../../src/index.ts";
import { binding } from "../support/label-suite.ts";
import { sdk2 } from "../support/sdks-here.ts";
import { labelsOf, type TestTracing, useContextManager } from "../support/tracing.ts";

useContextManager();

const failed = [
  { id: "optional", required: false, code: "unreadable" },
  { id: "content", required: true, code: "signature_invalid" },
];
const loaded: PolicySet = { verified: [binding], failed };

describe("a run whose required policy failed", () => {
  let tracing: TestTracing;
  let root: Span;
  let called: number;
  const start = (span: Span | undefined, onPolicyFailure?: Parameters<typeof withRun>[2]) =>
    withRun(span, () => (called += 1), { policies: loaded, ...onPolicyFailure });
  beforeEach(() => {
    tracing = sdk2.open();
    root = tracing.tracer.startSpan("invoke_agent");
    called = 0;
  });
  afterEach(() => tracing.close());
  const finished = () => {
    root.end();
    return tracing.finished()[0];
  };

  it("does not start, with an error that names the policy and the code", () => {
    const error = (() => {
      try {
        start(root);
      } catch (thrown) {
        return thrown;
      }
    })() as RequiredPolicyError;
    expect(error).toBeInstanceOf(RequiredPolicyError);
    expect(TrustablError.isInstance(error)).toBe(true);
    expect([error.code, error.policyId, error.policyCode]).toEqual([
      "required_policy_failed",
      "content",
      "signature_invalid",
    ]);
    expect(error.message).toMatch(/content.*signature_invalid/);
    expect(called).toBe(0);
  });

  it("ends with policy_stop, and has the bindings of the policies that were verified and no others", () => {
    expect(() => start(root)).toThrow(RequiredPolicyError);
    const span = finished();
    expect(labelsOf(span)["trustabl.exit_reason"]).toBe("policy_stop");
    expect(span?.events.map(({ attributes }) => attributes?.["trustabl.policy.binding.id"])).toEqual([
      "sandbox-policy",
    ]);
  });

  it("does not start with tracing off either: this is not telemetry", () => {
    expect(() => start(undefined)).toThrow(RequiredPolicyError);
    expect(called).toBe(0);
  });

  it("starts when the application says so", () => {
    start(root, { onPolicyFailure: "continue" });
    expect(called).toBe(1);
    expect(labelsOf(finished())["trustabl.exit_reason"]).toBe("final_answer");
  });

  it("asks a function about each required failure, and refuses when it throws or answers nothing", () => {
    const asked: unknown[] = [];
    start(root, {
      onPolicyFailure: (failure) => {
        asked.push(failure);
        return "continue";
      },
    });
    expect(asked).toEqual([failed[1]]);
    const silent = () => undefined as unknown as "refuse";
    const broken = () => {
      throw new Error("no idea");
    };
    for (const onPolicyFailure of [silent, broken])
      expect(() => start(root, { onPolicyFailure })).toThrow(RequiredPolicyError);
    expect(called).toBe(1);
  });

  it("is not kept from starting by a policy that is not required", () => {
    withRun(root, () => (called += 1), {
      policies: { ...loaded, failed: [{ id: "x", required: false, code: "expired" }] },
    });
    expect(called).toBe(1);
  });
});

describe("policies that are neither bindings nor what loadPolicies() gives", () => {
  it.each<[string, unknown]>([
    ["a promise, where an await was forgotten", Promise.resolve(loaded)],
    ["the path of a manifest", "policies.json"],
    ["half of what was loaded", { failed }],
    ["an empty object", {}],
    ["a number", 5],
  ])("keep the run from starting, with tracing off too: %s", (_what, policies) => {
    let called = 0;
    const options = { policies } as Parameters<typeof withRun>[2];
    expect(() => withRun(undefined, () => (called += 1), options)).toThrow(
      new TypeError('"policies" expected a list of bindings, or what `await loadPolicies()` gives'),
    );
    expect(called).toBe(0);
  });
});
