import { renameSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { TrustablError } from "../../src/errors.ts";
import { type PolicyConfig, verifyPolicy } from "../../src/policies/index.ts";
import {
  codeOf,
  described,
  errorOf,
  POLICY,
  read,
  temporaryFolder,
  write,
  writePolicy,
} from "./support/deployment.ts";
import { ed25519Key, type OpensslKey, sha256, sign } from "./support/openssl.ts";
import { whileReading } from "./support/while-reading.ts";

const folder = temporaryFolder();
let key: OpensslKey;
let config: PolicyConfig;
beforeAll(() => {
  key = ed25519Key(folder);
  writePolicy(folder);
  write(folder, "s", sign(folder, key, POLICY));
  const trust = { keys: [{ id: "release", public_key: key.publicPem }] };
  config = { ...described, format: "ed25519", signature: "s", trust };
});

const verify = (changes: object = {}, options: object = {}) =>
  verifyPolicy({ ...config, ...changes } as PolicyConfig, { folder, ...options });

describe("the configuration of a policy", () => {
  it.each([
    ["no id", { id: undefined }],
    ["an empty id", { id: "" }],
    ["an id of 129 characters", { id: "x".repeat(129) }],
    ["an id with a line feed", { id: "a\nb" }],
    ["an unknown type", { type: "firewall" }],
    ["no version", { version: undefined }],
    ["a version that is a number", { version: 3 }],
    ["no word on whether it is required", { required: undefined }],
    ["required as text", { required: "true" }],
    ["an unknown source", { source: "internet" }],
    ["no file", { file: undefined }],
    ["no format", { format: undefined }],
    ["no signature", { signature: undefined }],
    ["a signature that is a list", { signature: ["s"] }],
    ["no trust", { trust: undefined }],
    ["a trust that is a list", { trust: [] }],
    ["a field that is unknown", { predicatetype: "x" }],
    ["a field of another format", { namespace: "policy@example.com" }],
    ["a limit of zero", { maxBytes: 0 }],
    ["a limit that is no number", { maxBytes: "1MB" }],
    ["a limit above the highest", { maxBytes: 2 ** 40 }],
    ["a start without a zone", { notBefore: "2026-01-01T00:00:00" }],
    ["an end that is a number", { expiresAt: 1 }],
    ["a confirmation that is no function", { confirmLoaded: "0".repeat(64) }],
    ["a scope that is empty", { scope: "" }],
    ["an unpaired surrogate", { file: "\ud800" }],
  ])("with %s is refused before any file is looked at", async (_, changes) => {
    expect(await codeOf(verify(changes, { folder: "/nowhere" }))).toBe("config_invalid");
  });

  it.each([undefined, null, [], "egress", 1, () => ({})])("cannot be %s", async (value) => {
    expect(await codeOf(verifyPolicy(value as never))).toBe("config_invalid");
  });

  it("names the format; nothing in a file does", async () => {
    for (const format of ["gpg", "ED25519", "none", "", "__proto__", "toString"]) {
      const code = format === "" ? "config_invalid" : "format_unsupported";
      expect(await codeOf(verify({ format }))).toBe(code);
    }
    expect(await codeOf(verify({ format: "cosign" }))).toBe("signature_malformed");
  });

  it("is read once: what it says later does not count", async () => {
    let reads = 0;
    const shifting = Object.defineProperty({ ...config }, "id", {
      enumerable: true,
      get: () => (reads++ === 0 ? "egress" : "a\nb"),
    });
    expect((await verifyPolicy(shifting, { folder })).id).toBe("egress");
    expect(reads).toBe(1);
  });

  it("with a getter that throws is refused like any other", async () => {
    const throwing = Object.defineProperty({ ...config }, "id", {
      enumerable: true,
      get: () => {
        throw new Error("secret");
      },
    });
    const error = await errorOf(verifyPolicy(throwing, { folder }));
    expect(error).toMatchObject({ code: "unexpected" });
    expect(String(error)).not.toContain("secret");
  });
});

describe("a configured window of validity", () => {
  const window = { notBefore: "2026-01-01T00:00:00Z", expiresAt: "2026-12-31T00:00:00Z" };
  const at = (time: string) => ({ clock: () => Date.parse(time) });

  it("holds also where the signature says nothing of it", async () => {
    expect((await verify(window, at("2026-06-01T00:00:00Z"))).id).toBe("egress");
    expect(await codeOf(verify(window, at("2025-12-31T00:00:00Z")))).toBe("not_yet_valid");
    expect(await codeOf(verify(window, at("2027-01-01T00:00:00Z")))).toBe("expired");
  });

  it("is measured with the machine's clock when none is given", async () => {
    expect(await codeOf(verify({ expiresAt: "2020-01-01T00:00:00Z" }))).toBe("expired");
    expect(await codeOf(verify({ notBefore: "2999-01-01T00:00:00Z" }))).toBe("not_yet_valid");
  });

  it("is closed to a clock that is broken", async () => {
    expect(await codeOf(verify(window, { clock: () => Number.NaN }))).toBe("not_yet_valid");
    const throws = {
      clock: () => {
        throw new Error("no clock");
      },
    };
    expect(await codeOf(verify(window, throws))).toBe("unexpected");
  });
});

describe("the enforcer", () => {
  const hash = () => sha256(folder, "egress.yaml");

  it("may confirm that it has loaded this very file, and the binding then says so", async () => {
    expect((await verify({ confirmLoaded: async () => hash() })).loadConfirmed).toBe(true);
    expect((await verify({ confirmLoaded: async () => hash().toUpperCase() })).loadConfirmed).toBe(true);
    expect((await verify()).loadConfirmed).toBe(false);
  });

  it("that has loaded something else leaves no binding", async () => {
    for (const loaded of ["0".repeat(64), "", hash().slice(0, 63), ` ${hash()}`]) {
      expect(await codeOf(verify({ confirmLoaded: async () => loaded }))).toBe("not_loaded");
    }
  });

  it("that fails, answers with something else, or does not answer in time leaves no binding", async () => {
    const failing = {
      confirmLoaded: async () => {
        throw new Error("secret");
      },
    };
    const error = await errorOf(verify(failing));
    expect(error).toMatchObject({ code: "confirmation_failed" });
    expect(String(error)).not.toContain("secret");
    for (const answer of [undefined, null, 1, true, { sha256: hash() }]) {
      expect(await codeOf(verify({ confirmLoaded: async () => answer }))).toBe("confirmation_failed");
    }
    const silent = { confirmLoaded: () => new Promise(() => {}) };
    expect(await codeOf(verify(silent, { confirmTimeout: 20 }))).toBe("confirmation_failed");
  });

  it("is not asked about a file that does not verify", async () => {
    let asked = 0;
    const confirmLoaded = async () => {
      asked++;
      return hash();
    };
    expect(await codeOf(verify({ confirmLoaded, expiresAt: "2020-01-01T00:00:00Z" }))).toBe("expired");
    expect(await codeOf(verify({ confirmLoaded, trust: { keys: [] } }))).toBe("trust_root_invalid");
    expect(asked).toBe(0);
  });

  it("gets the bytes that were verified, not the file as it is by then", async () => {
    const policy = await verify({
      confirmLoaded: async () => {
        write(folder, "egress.yaml", "replaced meanwhile");
        return "9".repeat(64);
      },
    }).catch(() => undefined);
    expect(policy).toBeUndefined();
    write(folder, "egress.yaml", POLICY);
  });
});

describe("a policy file that is replaced while its signature is read", () => {
  it("is still the one that was read before, together with its own signature", async () => {
    const swap = () => {
      write(folder, "evil", "egress: {allow: ['*']}\n");
      renameSync(join(folder, "evil"), join(folder, "egress.yaml"));
    };
    const policy = await whileReading(swap, () => verify(), 2);
    expect(Buffer.from(policy.bytes).toString()).toBe(POLICY);
    expect(read(folder, "egress.yaml").toString()).toContain("'*'");
    write(folder, "egress.yaml", POLICY);
  });
});

describe("an error of a verification", () => {
  it("is one of this package's, with a code, and recognised across two copies of it", async () => {
    const error = await errorOf(verify({ file: "missing" }));
    expect(TrustablError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ name: "PolicyError", code: "unreadable" });
  });

  it("says so when the folder is not there", async () => {
    expect(await codeOf(verify({}, { folder: join(folder, "nowhere") }))).toBe("unreadable");
  });

  it("begins in the working directory when no folder is given", async () => {
    expect(await codeOf(verifyPolicy(config))).toBe("unreadable");
    expect(await codeOf(verifyPolicy({ ...config, file: join(folder, "egress.yaml") }))).toBe(
      "outside_folder",
    );
  });
});
