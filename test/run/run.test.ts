import { describe, expect, it } from "vitest";
import { Run } from "../../src/index.ts";
import { hearDiagnostics, ownMessages } from "../support/diagnostics.ts";

describe("Run", () => {
  it("has an id of its own: 8 random bytes as lower-case hexadecimal characters", () => {
    const ids = new Set(Array.from({ length: 1000 }, () => new Run().runId));
    expect(ids.size).toBe(1000);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
  });

  it("takes the id that it is given; null and undefined are not given", () => {
    expect(new Run("mine").runId).toBe("mine");
    expect(new Run(null).runId).toMatch(/^[0-9a-f]{16}$/);
    expect(new Run(undefined).runId).toMatch(/^[0-9a-f]{16}$/);
  });

  it("never throws over an id, since tracing may be off", () => {
    expect(() => new Run("\u0000".repeat(1000)).markStart(undefined)).not.toThrow();
  });

  it("counts steps from 0", () => {
    const run = new Run();
    expect([run.nextStep(), run.nextStep(), run.nextStep()]).toEqual([0, 1, 2]);
  });

  it("counts attempts per tool and arguments, and per tool where there is no fingerprint", () => {
    const run = new Run();
    const fp = "0123456789abcdef";
    expect([run.nextAttempt("a", fp), run.nextAttempt("a", fp), run.nextAttempt("b", fp)]).toEqual([1, 2, 1]);
    expect([run.nextAttempt("a"), run.nextAttempt("a", null), run.nextAttempt("a", fp)]).toEqual([1, 2, 3]);
  });

  it("never mixes up a tool whose name looks like a fingerprint", () => {
    const run = new Run();
    run.nextAttempt("tool", "0123456789abcdef");
    expect(run.nextAttempt("0123456789abcdeftool")).toBe(1);
  });

  it("has no attempt for new calls past its bound, rather than a wrong one, and says so", () => {
    const heard = hearDiagnostics();
    const run = new Run();
    for (let call = 0; call < 100_000; call += 1) run.nextAttempt("tool", String(call).padStart(16, "0"));
    expect(run.nextAttempt("tool", "f".repeat(16))).toBeUndefined();
    expect(run.nextAttempt("tool", "0".repeat(16))).toBe(2);
    expect(ownMessages(heard)).toHaveLength(1);
  });

  it("keeps the first reason to stop, and ignores one that is none", () => {
    const heard = hearDiagnostics();
    const run = new Run();
    run.stop("bored" as "max_steps");
    expect(run.stopReason).toBeUndefined();
    run.stop("policy_stop");
    run.stop("max_steps");
    expect(run.stopReason).toBe("policy_stop");
    expect(ownMessages(heard)).toHaveLength(1);
  });

  describe("which untrusted inputs it has used", () => {
    const input = (index: number) => ({
      source: "page",
      digest: `sha256:${String(index).padStart(64, "0")}`,
    });

    it("is none at first, then each once", () => {
      const run = new Run();
      expect(run.untrustedInputs).toEqual([]);
      run.markUntrusted(input(1));
      run.markUntrusted(input(1));
      run.markUntrusted({ ...input(1), source: "mail" });
      expect(run.untrustedInputs).toEqual([input(1), { ...input(1), source: "mail" }]);
    });

    it("is not known any more past 1,000, and says so", () => {
      const heard = hearDiagnostics();
      const run = new Run();
      for (let index = 0; index < 1_000; index += 1) run.markUntrusted(input(index));
      expect(run.untrustedInputs).toHaveLength(1_000);
      run.markUntrusted(input(1_000));
      run.markUntrusted(input(1));
      expect(run.untrustedInputs).toBeUndefined();
      expect(ownMessages(heard)).toHaveLength(1);
    });

    it.each([
      ["nothing", undefined],
      ["no digest", { source: "page" }],
      ["a digest of another kind", { source: "page", digest: "md5:00" }],
      ["no source", { source: "", digest: input(1).digest }],
      ["a long source", { source: "x".repeat(257), digest: input(1).digest }],
    ])("is not known any more after %s, and says so", (_, wrong) => {
      const heard = hearDiagnostics();
      const run = new Run();
      run.markUntrusted(wrong as never);
      run.markUntrusted(input(1));
      expect(run.untrustedInputs).toBeUndefined();
      expect(ownMessages(heard)).toHaveLength(1);
    });
  });
});
