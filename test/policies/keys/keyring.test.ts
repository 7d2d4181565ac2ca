import { describe, expect, it } from "vitest";
import { verifyPolicy } from "../../../src/policies/index.ts";
import { readKeyring } from "../../../src/policies/keys/keyring.ts";
import { codeOf, described, read, temporaryFolder, write, writePolicy } from "../support/deployment.ts";
import { ed25519Key, sign } from "../support/openssl.ts";

const PUBLIC_KEY = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";
const entry = { id: "release", public_key: PUBLIC_KEY };

describe("a keyring", () => {
  it("has keys with a name, a text and a window", () => {
    const [key] = readKeyring({ keys: [{ ...entry, not_before: "2026-01-01T00:00:00Z" }] });
    expect(key).toMatchObject({ id: "release", algorithm: "ed25519" });
    expect(key?.window).toEqual({ from: Date.UTC(2026, 0, 1), to: undefined });
  });

  it.each([
    ["nothing", undefined],
    ["a list", [entry]],
    ["no keys", {}],
    ["an empty list of keys", { keys: [] }],
    ["keys that are no list", { keys: entry }],
    ["more than 64 keys", { keys: Array.from({ length: 65 }, (_, n) => ({ ...entry, id: `k${n}` })) }],
    ["a field beside the keys", { keys: [entry], version: 1 }],
    ["two keys with one id", { keys: [entry, entry] }],
    ["a key without an id", { keys: [{ public_key: PUBLIC_KEY }] }],
    ["a key with an empty id", { keys: [{ ...entry, id: "" }] }],
    ["a key without a text", { keys: [{ id: "release" }] }],
    ["a key that is null", { keys: [null] }],
    [
      "a mistyped end, which would be a key without an end",
      { keys: [{ ...entry, notAfter: "2020-01-01T00:00:00Z" }] },
    ],
    ["a date without a zone", { keys: [{ ...entry, not_after: "2020-01-01T00:00:00" }] }],
    ["a date that is a number", { keys: [{ ...entry, not_after: 1577836800 }] }],
    ["a date that is null", { keys: [{ ...entry, not_after: null }] }],
  ])("is refused with %s", (_, keyring) => {
    expect(() => readKeyring(keyring)).toThrowError(expect.objectContaining({ code: "trust_root_invalid" }));
  });
});

describe("the trust of a policy", () => {
  const folder = temporaryFolder();
  const key = ed25519Key(folder);
  writePolicy(folder);
  write(folder, "s", sign(folder, key, read(folder, "egress.yaml")));
  write(folder, "keyring.json", JSON.stringify({ keys: [{ id: "release", public_key: key.publicPem }] }));
  write(folder, "broken.json", "{");
  write(folder, "k.pub", key.publicPem);
  const verify = (trust: unknown) =>
    verifyPolicy({ ...described, format: "ed25519", signature: "s", trust } as never, { folder });

  it("is a keyring file, a keyring in the configuration, or a key in a file", async () => {
    const keys = [{ id: "release", public_key: key.publicPem }];
    for (const trust of [{ keyring: "keyring.json" }, { keys }, { publicKey: "k.pub" }]) {
      expect((await verify(trust)).id).toBe("egress");
    }
  });

  it("is exactly one of them", async () => {
    for (const trust of [
      {},
      undefined,
      "k.pub",
      { publicKey: "k.pub", keyring: "keyring.json" },
      { key: "k.pub" },
      { publicKey: "k.pub", identity: "release" },
    ]) {
      expect(await codeOf(verify(trust))).toBe("config_invalid");
    }
  });

  it("is refused when it cannot be read", async () => {
    expect(await codeOf(verify({ keyring: "missing.json" }))).toBe("unreadable");
    expect(await codeOf(verify({ keyring: "../keyring.json" }))).toBe("outside_folder");
    expect(await codeOf(verify({ keyring: "broken.json" }))).toBe("trust_root_invalid");
    expect(await codeOf(verify({ keyring: "k.pub" }))).toBe("trust_root_invalid");
    expect(await codeOf(verify({ publicKey: "keyring.json" }))).toBe("trust_root_invalid");
    expect(await codeOf(verify({ publicKey: "s" }))).toBe("trust_root_invalid");
    expect(await codeOf(verify({ keys: "release" }))).toBe("trust_root_invalid");
  });

  it("goes over from one key to the next while both are in the keyring", async () => {
    const next = ed25519Key(folder);
    write(folder, "next.sig", sign(folder, next, read(folder, "egress.yaml")));
    const keys = [
      { id: "2026", public_key: key.publicPem, not_after: "2027-01-31T00:00:00Z" },
      { id: "2027", public_key: next.publicPem, not_before: "2027-01-01T00:00:00Z" },
    ];
    const at = (signature: string, time: string) =>
      verifyPolicy(
        { ...described, format: "ed25519", signature, trust: { keys } },
        { folder, clock: () => Date.parse(time) },
      );
    expect((await at("s", "2027-01-15T00:00:00Z")).id).toBe("egress");
    expect((await at("next.sig", "2027-01-15T00:00:00Z")).id).toBe("egress");
    expect(await codeOf(at("next.sig", "2026-12-31T00:00:00Z"))).toBe("key_not_yet_valid");
    expect(await codeOf(at("s", "2027-02-01T00:00:00Z"))).toBe("key_expired");
  });
});
