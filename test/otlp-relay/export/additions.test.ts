import { describe, expect, it } from "vitest";
import { additionsOf } from "../../../src/otlp-relay/export/additions.ts";
import { hearDiagnostics, ownMessages } from "../../support/diagnostics.ts";

const bag = (attributes: Record<string, unknown>) => Object.assign(Object.create(null), attributes);
const add = (attributes: object, present = {}, events: object[] = []) =>
  additionsOf({ attributes, events } as never, bag(present));

describe("additionsOf", () => {
  it("adds what the span has not", () => {
    expect(add({ a: "x", b: 1, c: false, d: ["y"] })?.attributes).toEqual([
      ["a", "x"],
      ["b", 1],
      ["c", false],
      ["d", ["y"]],
    ]);
  });

  it("adds nothing twice: what is there and equal is left out without a word", () => {
    const messages = hearDiagnostics();
    const same = { a: "x", b: 1, c: false, d: ["y", "z"] };
    expect(add(same, same)).toBeUndefined();
    expect(ownMessages(messages)).toEqual([]);
  });

  it.each([
    ["another text", "x", "y"],
    ["another type", "1", 1],
    ["a longer list", ["x"], ["x", "y"]],
    ["another list", ["x"], ["y"]],
    ["a value of a kind that is not shown", "x", null],
  ])("keeps what is there (%s) and says so by its name only", (_name, wanted, present) => {
    const messages = hearDiagnostics();
    expect(add({ "trustabl.a": wanted, b: 1 }, { "trustabl.a": present })?.attributes).toEqual([["b", 1]]);
    expect(ownMessages(messages)).toEqual([
      "agent-reliability-otel-labels: trustabl.a was left out: the span came with another value of it, and that is kept",
    ]);
  });

  it("leaves out values that no attribute can have", () => {
    const messages = hearDiagnostics();
    expect(
      add({ a: { secret: 1 }, b: [1], c: null, d: 1n, e: undefined, "": "x", f: "y" })?.attributes,
    ).toEqual([["f", "y"]]);
    expect(ownMessages(messages)).toHaveLength(5);
    expect(messages.join()).not.toContain("secret");
  });

  it("leaves out events whose time cannot be written", () => {
    const event = (timeUnixNano: unknown) => ({ name: "e", timeUnixNano, attributes: {} });
    const times = [-1n, 2n ** 64n, 5, undefined, 0n, 2n ** 64n - 1n].map(event);
    expect(add({}, {}, times)?.events.map(({ timeUnixNano }) => timeUnixNano)).toEqual([0n, 2n ** 64n - 1n]);
  });

  it("replaces halves of characters, which UTF-8 cannot hold", () => {
    expect(add({ a: "x\ud800" })?.attributes).toEqual([["a", "x\ufffd"]]);
  });

  it.each([
    ["a promise", Promise.resolve()],
    ["a text", "labels"],
    ["labels without events", { attributes: { a: 1 } }],
    ["events that are none", { attributes: {}, events: [null] }],
  ])("adds nothing when it is given %s, and says so", (_name, labels) => {
    const messages = hearDiagnostics();
    expect(additionsOf(labels as never, bag({}))).toBeUndefined();
    expect(ownMessages(messages)).toHaveLength(1);
  });
});
