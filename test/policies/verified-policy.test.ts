import { inspect, isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { isVerifiedPolicy, type VerifiedPolicy, verifyPolicy } from "../../src/policies/index.ts";
import { described, POLICY, read, temporaryFolder, write, writePolicy } from "./support/deployment.ts";
import { ed25519Key, sha256, sign } from "./support/openssl.ts";

const folder = temporaryFolder();
let policy: VerifiedPolicy;
beforeAll(async () => {
  const key = ed25519Key(folder);
  writePolicy(folder);
  write(folder, "s", sign(folder, key, read(folder, "egress.yaml")));
  const trust = { keys: [{ id: "release", public_key: key.publicPem }] };
  policy = await verifyPolicy({ ...described, format: "ed25519", signature: "s", trust }, { folder });
});

const expected = () => ({
  id: "egress",
  type: "sandbox",
  sha256: sha256(folder, "egress.yaml"),
  version: "3.1.0",
  required: true,
  source: "sidecar",
  metadataSigned: false,
  loadConfirmed: false,
});

describe("a verified policy", () => {
  it("is a binding with two facts more, in JSON and when it is spread", () => {
    expect(JSON.parse(JSON.stringify(policy))).toEqual(expected());
    expect({ ...policy }).toEqual(expected());
  });

  it("cannot be changed", () => {
    for (const change of [
      () => Object.assign(policy, { sha256: "0".repeat(64) }),
      () => Object.defineProperty(policy, "id", { value: "other" }),
      () => Object.setPrototypeOf(policy, {}),
      () => Object.defineProperty(Object.getPrototypeOf(policy), "bytes", { value: new Uint8Array() }),
    ]) {
      expect(change).toThrow(TypeError);
    }
    expect(policy).toMatchObject(expected());
  });

  it("gives the verified bytes each time anew, so that nobody can change what was verified", () => {
    policy.bytes.fill(0);
    policy.signedBytes.fill(0);
    expect(Buffer.from(policy.bytes).toString()).toBe(POLICY);
    expect(Buffer.from(policy.signedBytes).toString()).toBe(POLICY);
    expect(policy.members.size).toBe(0);
  });

  it("shows nothing of the file when it is printed, however deeply", () => {
    const printed = [inspect(policy), JSON.stringify(policy), String(policy)];
    for (const text of printed) expect(text).not.toMatch(/bytes|members|Uint8Array|Buffer/i);
    for (const text of [...printed, inspect(policy, { depth: Infinity, showHidden: true })]) {
      expect(text).not.toContain("api.example.com");
      expect(text).not.toContain(Buffer.from("api.example.com").toString("hex"));
      expect(text).not.toMatch(/Uint8Array|Buffer|Map/);
    }
    expect(inspect(policy)).toMatch(/^VerifiedPolicy /);
    expect(Object.keys(policy)).toEqual(Object.keys(expected()));
  });
});

describe("a forgery", () => {
  const forge = (): unknown[] => {
    const Verified = policy.constructor as unknown as new (...given: unknown[]) => object;
    const attempt = (make: () => unknown) => {
      try {
        return make();
      } catch {
        return undefined;
      }
    };
    return [
      { ...policy },
      JSON.parse(JSON.stringify(policy)),
      structuredClone(policy),
      Object.create(policy),
      Object.create(Object.getPrototypeOf(policy)),
      Object.assign(Object.create(Object.getPrototypeOf(policy)), policy),
      Object.setPrototypeOf({ ...policy }, Object.getPrototypeOf(policy)),
      new Proxy(policy, {}),
      attempt(() => new Verified(Symbol("verified"), policy)),
      attempt(() => new Verified(undefined, policy)),
      attempt(() => new Verified(Symbol.for("verified"), policy)),
      attempt(() => Reflect.construct(Verified, [undefined, policy])),
      attempt(() => new (class extends Verified {})(undefined, policy)),
      attempt(() => Reflect.construct(Object, [], Verified)),
      null,
      undefined,
      "egress",
      () => policy,
    ];
  };

  it("is recognised, whatever it copies", () => {
    for (const forged of forge()) expect(isVerifiedPolicy(forged)).toBe(false);
    expect(isVerifiedPolicy(policy)).toBe(true);
  });

  it("may look the same", () => {
    const copy = structuredClone(policy);
    expect(isDeepStrictEqual({ ...copy }, { ...policy })).toBe(true);
  });

  it("cannot reach the bytes", () => {
    for (const forged of forge().slice(3, 8))
      expect(() => (forged as VerifiedPolicy).bytes).toThrow(TypeError);
  });
});
