import { describe, expect, it } from "vitest";
import { canonicalFp, FingerprintKey, prepareVolatileKeys, wireFp } from "../../../src/fingerprint/index.ts";
import { createVerifier, type VerifyOptions, verify } from "../../../src/verify/index.ts";
import { type CallParts, call, findingsOf, judged, resultOf, root, span } from "../support/build.ts";

const check = "fingerprint-true";
const WRONG = "00000000000000ff";
const args = { city: "Rome", days: 3 };

/** A tool span of OpenInference, which captures near what the tool got. */
const near = (id: string, inputFp: string, captured: string, step = 0) =>
  span(id, {
    scope: "@arizeai/openinference-instrumentation-langchain",
    attributes: {
      "openinference.span.kind": "TOOL",
      "tool.name": "search",
      "input.value": captured,
      "trustabl.tool.input_fp": inputFp,
      "trustabl.tool.attempt": 1,
      "trustabl.step_index": step,
    },
  });

const key = Buffer.alloc(40, "k");
const keyed = (value: unknown) => wireFp(value, prepareVolatileKeys(), new FingerprintKey(key));
const keyedCall = (id: string, parts: CallParts = {}) =>
  call(id, {
    args,
    result: "found",
    ...parts,
    attributes: {
      "trustabl.tool.input_fp": keyed(args),
      "trustabl.tool.output_fp": keyed("found"),
      ...parts.attributes,
    },
  });

describe(`${check}, of keyed fingerprints`, () => {
  it("passes when recomputing with the key gives the label's value, in whatever form it was captured", () => {
    expect(judged(check, [root(), keyedCall("a")], { fingerprint: { key } })).toBe("pass");
    const withClaim = { "gen_ai.tool.call.arguments": JSON.stringify({ ...args, claim: { x: 1 } }) };
    expect(judged(check, [root(), keyedCall("a", { attributes: withClaim })], { fingerprint: { key } })).toBe(
      "pass",
    );
  });

  it("takes a copy of the key, so that it may be overwritten", () => {
    const mine = Uint8Array.from(key);
    const verifier = createVerifier({ fingerprint: { key: mine } });
    mine.fill(0);
    for (const one of [root(), keyedCall("a")]) verifier.add(one);
    expect(resultOf(verifier.finish(), check).outcome).toBe("pass");
  });

  it("fails with another key, and when the verifier is not told of any", () => {
    const other = Buffer.alloc(40, "o");
    expect(judged(check, [root(), keyedCall("a")], { fingerprint: { key: other } })).toBe("fail: different");
    expect(judged(check, [root(), keyedCall("a")])).toBe("fail: different");
  });

  it.each<[string, VerifyOptions]>([
    ["the key is given", { fingerprint: { key } }],
    ["the key is not here", { fingerprint: "keyed" }],
  ])("fails on a fingerprint that is made without a key, of either side, when %s", (_, options) => {
    const spans = [
      { "trustabl.tool.input_fp": canonicalFp(args) },
      { "trustabl.tool.output_fp": canonicalFp("found") },
    ].map((attributes, step) => keyedCall(`c${step}`, { step, attributes }));
    const findings = findingsOf(check, [root(), ...spans], options);
    expect(findings.map(({ reason, attribute }) => [reason, attribute])).toEqual([
      ["unkeyed", "trustabl.tool.input_fp"],
      ["unkeyed", "trustabl.tool.output_fp"],
    ]);
  });

  it("finds labels of two calls that are mixed up", () => {
    const spans = [near("a", keyed("Oslo"), "Rome"), near("b", keyed("Oslo"), "Oslo", 1)];
    expect(judged(check, spans, { fingerprint: { key } })).toContain("other-call");
  });

  it.each([
    ["short", new Uint8Array(31)],
    ["text", "k".repeat(40)],
    ["missing", undefined],
  ])("refuses a key that is no key: %s", (_, wrong) => {
    expect(() => verify([], { fingerprint: { key: wrong as Uint8Array } })).toThrow(
      expect.objectContaining({ code: "invalid_fingerprint", message: expect.not.stringContaining("kkk") }),
    );
  });
});

describe(check, () => {
  it("passes when recomputing gives the label's value", () => {
    expect(judged(check, [root(), call("a", { args })])).toBe("pass");
  });

  it("is not applicable without fingerprints", () => {
    expect(judged(check, [root()])).toBe("not-applicable");
  });

  it.each(["input_fp", "output_fp"])("fails on another %s, and shows it", (side) => {
    const attributes = { [`trustabl.tool.${side}`]: WRONG };
    expect(findingsOf(check, [root(), call("a", { attributes })])[0]).toMatchObject({
      reason: "different",
      attribute: `trustabl.tool.${side}`,
      observed: WRONG,
    });
  });

  describe("what captured content can stand for", () => {
    const captured = (name: "arguments" | "result", content: unknown) => ({
      [`gen_ai.tool.call.${name}`]: content,
    });

    it.each([
      [
        "JSON text with a claim that was taken away",
        captured("arguments", JSON.stringify({ ...args, claim: { x: 1 } })),
      ],
      ["a structured value", captured("arguments", args)],
      ["a structured value with a claim", captured("arguments", { claim: 1, ...args })],
      [
        "JSON text in another order, with volatile members",
        captured("arguments", '{"days":3,"trace_id":"x","city":"Rome"}'),
      ],
    ])("%s", (_what, attributes) => {
      expect(judged(check, [root(), call("a", { args, attributes })])).toBe("pass");
    });

    it("a claim that the fingerprint was made with", () => {
      expect(judged(check, [root(), call("a", { args: { ...args, claim: 1 } })])).toBe("pass");
    });

    it("text that is no JSON, and JSON text that is a string", () => {
      const result = "Sunny in Rome";
      const plain = captured("result", result);
      expect(judged(check, [root(), call("a", { result, attributes: plain })])).toBe("pass");
      expect(judged(check, [root(), call("a", { result })])).toBe("pass");
    });

    it("a call that failed has the fingerprint of null, whatever the model was told", () => {
      const attributes = { "trustabl.tool.output_fp": canonicalFp(null) };
      expect(judged(check, [root(), call("a", { status: "error", attributes })])).toBe("pass");
    });

    it.each([
      [
        "OpenLLMetry for MCP",
        "traceloop.entity.input",
        '{"tool_name":"x","arguments":{"city":"Rome","days":3}}',
      ],
      [
        "OpenLLMetry for LangChain",
        "traceloop.entity.input",
        '{"args":["{\\"city\\":\\"Rome\\",\\"days\\":3}"]}',
      ],
    ])("the wrapping of %s", (_what, name, content) => {
      const attributes = {
        "traceloop.span.kind": "tool",
        "traceloop.entity.name": "x",
        [name]: content,
        "trustabl.tool.input_fp": canonicalFp(args),
      };
      expect(judged(check, [span("a", { scope: "traceloop", attributes })])).toBe("pass");
    });

    it("the content of LangChain's tool message", () => {
      const attributes = {
        "openinference.span.kind": "TOOL",
        "output.value": '{"output":{"kwargs":{"content":"sunny","tool_call_id":"call_5"}}}',
        "trustabl.tool.output_fp": canonicalFp("sunny"),
      };
      expect(judged(check, [span("a", { attributes })])).toBe("pass");
    });
  });

  describe("is unknown", () => {
    const without = { "gen_ai.tool.call.arguments": undefined, "gen_ai.tool.call.result": undefined };

    it("when nothing was captured, or a placeholder was", () => {
      expect(judged(check, [root(), call("a", { attributes: without })])).toBe("unknown: not-captured");
      const hidden = { ...without, "gen_ai.tool.call.arguments": "__REDACTED__" };
      expect(judged(check, [root(), call("a", { attributes: hidden })])).toBe("unknown: not-captured");
    });

    it.each([
      ["JSON that stops", `{"city":"Rome","text":"${"x".repeat(20)}`],
      ["a mark", '{"city":"Ro..."}'],
      ["a length that limits have", "x".repeat(128)],
    ])("when captured content was cut: %s", (_how, content) => {
      const attributes = { ...without, "gen_ai.tool.call.arguments": content };
      expect(judged(check, [root(), call("a", { args, attributes })])).toBe("unknown: truncated");
    });

    it("when captured content has no fingerprint", () => {
      const attributes = { ...without, "gen_ai.tool.call.arguments": '{"id":2512292042121000001}' };
      expect(judged(check, [root(), call("a", { args, attributes })])).toBe("unknown: refused");
    });

    it("when fingerprints are keyed with a key that is not here", () => {
      expect(judged(check, [root(), keyedCall("a")], { fingerprint: "keyed" })).toBe("unknown: keyed");
      expect(judged(check, [near("a", WRONG, "Rome")], { fingerprint: "keyed" })).toBe("unknown: keyed");
    });

    it("when the framework captures something near the arguments", () => {
      expect(judged(check, [near("a", WRONG, "Rome")])).toBe("unknown: near");
    });
  });

  it("fails even so when the label is another call's: two calls are mixed up", () => {
    const [one, two] = ["Rome", "Oslo"].map((city) => canonicalFp({ city })) as [string, string];
    const mixed = [near("a", two, '{"city":"Rome"}'), near("b", one, '{"city":"Oslo"}', 1)];
    expect(judged(check, mixed)).toBe("fail: other-call");
  });

  it("recomputes with the volatile keys that the labels were made with", () => {
    const fingerprint = canonicalFp(args, { volatileKeys: ["days"] });
    const spans = [root(), call("a", { args, attributes: { "trustabl.tool.input_fp": fingerprint } })];
    expect(judged(check, spans)).toBe("fail: different");
    expect(judged(check, spans, { volatileKeys: ["days"] })).toBe("pass");
  });

  it("never shows what was captured", () => {
    const findings = findingsOf(check, [
      root(),
      call("a", { args, attributes: { "trustabl.tool.input_fp": WRONG } }),
    ]);
    expect(JSON.stringify(findings)).not.toContain("Rome");
  });
});
