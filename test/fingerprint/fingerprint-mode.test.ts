import { createHmac } from "node:crypto";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canonicalJson,
  FingerprintKey,
  prepareRunFingerprint,
  prepareToolFingerprint,
  prepareVolatileKeys,
  strictFp,
  wireFp,
  wireJson,
} from "../../src/fingerprint/index.ts";
import { json, volatile } from "./support.ts";

const bytes = Uint8Array.from({ length: 40 }, (_, index) => index + 1);
const key = new FingerprintKey(bytes);
const hmac = (text: string, of: Uint8Array = bytes): string =>
  createHmac("sha256", of).update(text, "utf8").digest("hex").slice(0, 16);

describe("a keyed fingerprint", () => {
  it("is the first 16 characters of the HMAC-SHA-256 of the canonical text, for every value", () => {
    const keys = fc.uint8Array({ minLength: 32, maxLength: 130 });
    fc.assert(
      fc.property(keys, json, (own, value) => {
        expect(strictFp(value, volatile, new FingerprintKey(own))).toBe(hmac(canonicalJson(value), own));
        expect(wireFp(value, volatile, new FingerprintKey(own))).toBe(hmac(wireJson(value, volatile), own));
      }),
      { numRuns: 200 },
    );
  });

  it("is the same for a text that comes in pieces", () => {
    const long = Array.from({ length: 20_000 }, (_, index) => `item ${index}`);
    expect(wireFp(long, volatile, key)).toBe(hmac(JSON.stringify(long)));
  });

  it("leaves volatile members out as the unkeyed one does, and takes another list", () => {
    expect(wireFp({ q: 1, request_id: "r" }, volatile, key)).toBe(hmac('{"q":1}'));
    expect(wireFp({ q: 1, ts: 2 }, prepareVolatileKeys([]), key)).toBe(hmac('{"q":1,"ts":2}'));
  });

  it("stays the same when the caller overwrites its buffer, or the memory around it", () => {
    const memory = new Uint8Array(64).fill(7);
    const mine = memory.subarray(8, 48);
    const copied = new FingerprintKey(mine);
    const before = wireFp("x", volatile, copied);
    memory.fill(0);
    expect(wireFp("x", volatile, copied)).toBe(before);
    expect(before).toBe(hmac('"x"', new Uint8Array(40).fill(7)));
  });

  it("takes a Buffer, and a Uint8Array of another realm", () => {
    const others = [Buffer.from(bytes), runInNewContext(`Uint8Array.from([${bytes.join()}])`) as Uint8Array];
    for (const other of others) expect(wireFp(1, volatile, new FingerprintKey(other))).toBe(hmac("1"));
  });
});

describe("a key", () => {
  it.each([0, 1, 31])("of %i bytes is refused with a RangeError", (length) => {
    expect(() => new FingerprintKey(new Uint8Array(length).fill(0x51))).toThrow(RangeError);
  });

  it("of 32 bytes is taken", () => {
    expect(() => new FingerprintKey(new Uint8Array(32))).not.toThrow();
  });

  it.each([
    ["a text", "Q".repeat(64)],
    ["a list of numbers", Array.from({ length: 32 }, () => 0x51)],
    ["other typed arrays", new Uint16Array(32).fill(0x5151)],
    ["a memory without a view", new Uint8Array(32).fill(0x51).buffer],
    ["what only says that it is one", { [Symbol.toStringTag]: "Uint8Array", length: 32 }],
    ["nothing", undefined],
    ["null", null],
  ])("is no %s: a TypeError", (_, wrong) => {
    expect(() => new FingerprintKey(wrong as Uint8Array)).toThrow(TypeError);
  });
});

describe("the option of a run", () => {
  it("is unkeyed unless something is given", () => {
    expect([prepareRunFingerprint(undefined), prepareRunFingerprint(null)]).toEqual([undefined, undefined]);
  });

  it('makes a new key for each "run"', () => {
    const made = Array.from({ length: 100 }, () => wireFp(1, volatile, prepareRunFingerprint("run")));
    expect(new Set(made).size).toBe(100);
  });

  it("takes a key, as bytes or as another run has it", () => {
    expect(wireFp(1, volatile, prepareRunFingerprint({ key: bytes }))).toBe(hmac("1"));
    expect(wireFp(1, volatile, prepareRunFingerprint({ key }))).toBe(hmac("1"));
  });

  it.each([
    ["off", "off"],
    ["another word", "keyed"],
    ["a key without its name", bytes],
    ["true", true],
    ["an object without a key", {}],
    ["a key that is missing, as an unset variable leaves it", { key: undefined }],
    ["a short key", { key: new Uint8Array(31) }],
  ])("refuses %s, rather than write unkeyed fingerprints", (_, wrong) => {
    expect(() => prepareRunFingerprint(wrong)).toThrow(/"fingerprint"/);
  });
});

describe("the option of a tool", () => {
  it.each([
    [undefined, false, false],
    [null, false, false],
    ["off", true, true],
    [{ args: "off" }, true, false],
    [{ result: "off" }, false, true],
    [{ args: "off", result: "off" }, true, true],
    [{ args: undefined }, false, false],
  ])("%j", (option, hidesArgs, hidesResult) => {
    expect(prepareToolFingerprint(option)).toEqual({ key: undefined, hidesArgs, hidesResult });
  });

  it("takes a key beside a side that is off", () => {
    const mode = prepareToolFingerprint({ key: bytes, result: "off" });
    expect(wireFp(1, volatile, mode.key)).toBe(hmac("1"));
    expect(mode).toMatchObject({ hidesArgs: false, hidesResult: true });
  });

  it.each([
    ["run", "run"],
    ["a word that is misspelt", { arguments: "off" }],
    ["another word for a side", { args: "on" }],
    ["false", { result: false }],
    ["a key that is missing", { key: undefined }],
    ["a short key", { key: new Uint8Array(31), args: "off" }],
    ["a list", ["off"]],
    ["an object that says nothing", {}],
    ["a memory", new ArrayBuffer(32)],
  ])("refuses %s, rather than write what was to be kept", (_, wrong) => {
    expect(() => prepareToolFingerprint(wrong)).toThrow(/"fingerprint"/);
  });
});
