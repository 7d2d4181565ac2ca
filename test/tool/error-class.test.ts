import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { errorClassOf } from "../../src/tool/error-class.ts";

describe("the class of a thrown value", () => {
  it.each([
    [401, "auth"],
    [403, "auth"],
    [407, "auth"],
    [400, "4xx"],
    [404, "4xx"],
    [499, "4xx"],
    [500, "5xx"],
    [599, "5xx"],
    [200, undefined],
    [600, undefined],
    [404.5, undefined],
    ["404", undefined],
  ])("for the HTTP status %s is %s, wherever clients put it", (status, expected) => {
    for (const error of [
      { status },
      { statusCode: status },
      { response: { status } },
      { response: { statusCode: status } },
      { $metadata: { httpStatusCode: status } },
      Object.assign(new Error("x"), { status }),
    ]) {
      expect(errorClassOf(error)).toBe(expected);
    }
  });

  it.each([
    ["a TimeoutError by name", new DOMException("late", "TimeoutError")],
    ["ETIMEDOUT", { code: "ETIMEDOUT" }],
    ["ESOCKETTIMEDOUT", { code: "ESOCKETTIMEDOUT" }],
    ["UND_ERR_CONNECT_TIMEOUT", { code: "UND_ERR_CONNECT_TIMEOUT" }],
    ["UND_ERR_HEADERS_TIMEOUT", { code: "UND_ERR_HEADERS_TIMEOUT" }],
  ])("is timeout for %s", (_name, error) => {
    expect(errorClassOf(error)).toBe("timeout");
  });

  it("is timeout for what AbortSignal.timeout throws", async () => {
    const signal = AbortSignal.timeout(1);
    const error = await new Promise((done) => signal.addEventListener("abort", () => done(signal.reason)));
    expect(errorClassOf(error)).toBe("timeout");
  });

  it("is schema for what Zod really throws, and for Ajv's and Valibot's shapes", () => {
    expect(errorClassOf(z.object({ a: z.string() }).safeParse({ a: 1 }).error)).toBe("schema");
    expect(errorClassOf({ errors: [{ keyword: "type", instancePath: "/a", message: "m" }] })).toBe("schema");
    expect(errorClassOf({ issues: [{ kind: "schema", type: "string", message: "m" }] })).toBe("schema");
  });

  it.each([
    ["an abort", new DOMException("stopped", "AbortError")],
    ["a class name", new (class TimeoutException extends Error {})("timed out")],
    ["a message", new Error("timeout: 503 Service Unavailable, 401, validation failed")],
    ["another code", { code: "ECONNRESET" }],
    ["a code that only looks alike", { code: "UND_ERR_TIMEOUT_x" }],
    ["an empty list of issues", { issues: [] }],
    ["an AggregateError", new AggregateError([new Error("a")])],
    ["text", "timeout"],
    ["nothing", undefined],
    ["null", null],
  ])("is not guessed from %s", (_name, error) => {
    expect(errorClassOf(error)).toBeUndefined();
  });

  it("is not known where facts disagree", () => {
    expect(errorClassOf({ status: 404, code: "ETIMEDOUT" })).toBeUndefined();
    expect(errorClassOf({ status: 404, response: { status: 500 } })).toBeUndefined();
    expect(errorClassOf({ status: 404, response: { status: 410 } })).toBe("4xx");
  });

  it("never throws, whatever is thrown", () => {
    const hostile = new Proxy(
      {},
      {
        get() {
          throw new Error("no");
        },
      },
    );
    expect(errorClassOf(hostile)).toBeUndefined();
    expect(errorClassOf({ issues: [hostile] })).toBeUndefined();
    fc.assert(fc.property(fc.anything(), (value) => void errorClassOf(value)));
  });
});
