import { createHash, createPrivateKey } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { CompactSign } from "jose";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { verifyPolicy } from "../../../src/policies/index.ts";
import { codeOf, described, read, temporaryFolder, write } from "../support/deployment.ts";
import { describeFormat } from "../support/format-suite.ts";
import { ed25519Key, type OpensslKey, p256Key, rsaKey } from "../support/openssl.ts";
import { run } from "../support/tools.ts";

const REGO = "package authz\n\ndefault allow := false\n";
const DATA = '{ "b": [1, 2.50, "<x>\u2028"], "a": {"z": null, "y": true}, "b": [1.0] }';
// Written down by hand after OPA's rules: names in order, the last of two, no white space, numbers as they stand.
const DATA_TEXT = '{"a":{"y":true,"z":null},"b":[1.0]}';
const MANIFEST = '{"revision": "3.1.0", "roots": ["authz"], "metadata": {"id": "egress"}}';
const MANIFEST_TEXT = '{"metadata":{"id":"egress"},"revision":"3.1.0","roots":["authz"]}';

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const FILES = [
  { name: "authz/policy.rego", hash: sha256(REGO), algorithm: "SHA-256" },
  { name: "data.json", hash: sha256(DATA_TEXT), algorithm: "SHA-256" },
  { name: ".manifest", hash: sha256(MANIFEST_TEXT), algorithm: "SHA-256" },
];

function token(key: OpensslKey, alg: string, payload: object, header: object = {}): Promise<string> {
  const bytes = Buffer.from(JSON.stringify({ files: FILES, ...payload }));
  const signer = new CompactSign(bytes).setProtectedHeader({ alg, ...header } as { alg: string });
  return signer.sign(createPrivateKey(readFileSync(key.file)));
}

function writeBundle(folder: string, signed: string, files: Record<string, string> = {}): void {
  mkdirSync(join(folder, "bundle", "authz"), { recursive: true });
  const all = { "authz/policy.rego": REGO, "data.json": DATA, ".manifest": MANIFEST, ...files };
  for (const [path, content] of Object.entries(all)) write(folder, `bundle/${path}`, content);
  write(folder, "bundle/.signatures.json", JSON.stringify({ signatures: [signed] }));
}

function pack(folder: string, parameters: readonly string[] = []): void {
  run("tar", ["czf", "bundle.tar.gz", ...parameters, "-C", "bundle", "."], folder);
}

describe.each([
  ["ES256", p256Key],
  ["RS256", rsaKey],
  ["EdDSA", ed25519Key],
] as const)("with %s,", (algorithm, makeKey) => {
  describeFormat(`opa (${algorithm})`, {
    signsMetadata: true,
    changedFile: ["signature_malformed", "signature_invalid"],
    runs: 60,
    async sign(folder) {
      const key = makeKey(folder);
      writeBundle(folder, await token(key, algorithm, {}));
      write(folder, "release.pub", key.publicPem);
      write(folder, "stranger.pub", makeKey(folder).publicPem);
      const file = "bundle/.signatures.json";
      const { length } = read(folder, file);
      return {
        config: { ...described, file, format: "opa", trust: { publicKey: "release.pub" } },
        signatureFile: file,
        signatureBytes: [0, length],
        strangersTrust: { publicKey: "stranger.pub" },
        publicKey: key.publicPem,
      };
    },
  });
});

const folder = temporaryFolder();
let key: OpensslKey;
let valid: string;
beforeAll(async () => {
  key = p256Key(folder);
  valid = await token(key, "ES256", {});
});
beforeEach(() => {
  rmSync(join(folder, "bundle"), { recursive: true, force: true });
  writeBundle(folder, valid);
});

const verify = (changes: object = {}, options: object = {}) => {
  const trust = { keys: [{ id: "release", public_key: key.publicPem }] };
  const config = { ...described, file: "bundle/.signatures.json", format: "opa", trust, ...changes };
  return verifyPolicy(config as never, { folder, ...options });
};
const verifyToken = (signed: string, changes: object = {}, options: object = {}) => {
  writeBundle(folder, signed);
  return verify(changes, options);
};

describe("an OPA bundle in a folder", () => {
  it("has its files as members, and the id and the revision of its manifest as signed metadata", async () => {
    const verified = await verify();
    expect([...verified.members.keys()].sort()).toEqual([".manifest", "authz/policy.rego", "data.json"]);
    expect(Buffer.from(verified.members.get("data.json") ?? []).toString()).toBe(DATA);
    expect(verified.metadataSigned).toBe(true);
  });

  it("is refused with a file changed, missing, or not listed", async () => {
    write(folder, "bundle/authz/policy.rego", REGO.replace("false", "true"));
    expect(await codeOf(verify())).toBe("member_mismatch");
    rmSync(join(folder, "bundle/authz/policy.rego"));
    expect(await codeOf(verify())).toBe("member_mismatch");
    writeBundle(folder, valid, { "authz/more.rego": "package authz\n\nallow := true\n" });
    expect(await codeOf(verify())).toBe("member_mismatch");
  });

  it("may be formatted anew where it is structured, but its values may not change", async () => {
    writeBundle(folder, valid, { "data.json": DATA_TEXT, ".manifest": `${MANIFEST_TEXT}\n` });
    expect((await verify()).id).toBe("egress");
    for (const changed of [
      '{"a":{"y":true,"z":null},"b":[1]}',
      DATA_TEXT.replace("true", "false"),
      "{",
      "\uFEFF{}",
    ]) {
      writeBundle(folder, valid, { "data.json": changed });
      expect(await codeOf(verify())).toBe("member_mismatch");
    }
  });

  it("is refused with a symbolic link in it", async () => {
    symlinkSync(join(folder, "bundle/data.json"), join(folder, "bundle/authz/data.json"));
    expect(await codeOf(verify())).toBe("unreadable");
  });

  it("is refused with YAML data, whose hash OPA takes from JSON of its own making", async () => {
    const files = [...FILES, { name: "data.yaml", hash: sha256("a: 1"), algorithm: "SHA-256" }];
    writeBundle(folder, await token(key, "ES256", { files }), { "data.yaml": "a: 1" });
    expect(await codeOf(verify())).toBe("format_unsupported");
  });
});

describe("an OPA bundle in an archive", () => {
  const archive = { file: "bundle.tar.gz" };

  it.each([
    ["as tar writes it", []],
    ["with POSIX headers", ["--format=ustar"]],
    ["with paths from the root, as opa build writes them", ["--transform=s,^\\./,/,S", "-P"]],
  ])("verifies %s", async (_, parameters) => {
    pack(folder, parameters);
    const verified = await verify(archive);
    expect(verified.metadataSigned).toBe(true);
    expect([...verified.members.keys()].sort()).toEqual([".manifest", "authz/policy.rego", "data.json"]);
    expect(verified.sha256).toBe(createHash("sha256").update(read(folder, "bundle.tar.gz")).digest("hex"));
  });

  it("verifies a path that needs the prefix of a POSIX header", async () => {
    const deep = `${"d".repeat(60)}/${"e".repeat(60)}`;
    mkdirSync(join(folder, "bundle", deep), { recursive: true });
    const files = [...FILES, { name: `${deep}/x.rego`, hash: sha256(REGO), algorithm: "SHA-256" }];
    writeBundle(folder, await token(key, "ES256", { files }), { [`${deep}/x.rego`]: REGO });
    pack(folder, ["--format=ustar"]);
    expect((await verify(archive)).members.has(`${deep}/x.rego`)).toBe(true);
    pack(folder, ["--format=gnu"]);
    expect(await codeOf(verify(archive))).toBe("signature_malformed");
  });

  it("is refused with a file changed, missing, or not listed", async () => {
    for (const files of [{ "data.json": "{}" }, { "authz/more.rego": REGO }]) {
      rmSync(join(folder, "bundle"), { recursive: true });
      writeBundle(folder, valid, files as Record<string, string>);
      pack(folder);
      expect(await codeOf(verify(archive))).toBe("member_mismatch");
    }
    writeBundle(folder, valid);
    rmSync(join(folder, "bundle/.signatures.json"));
    pack(folder);
    expect(await codeOf(verify(archive))).toBe("signature_malformed");
  });

  it("is refused with links in it", async () => {
    symlinkSync("/etc/passwd", join(folder, "bundle/link.rego"));
    pack(folder);
    expect(await codeOf(verify(archive))).toBe("signature_malformed");
  });

  it("is refused with a path twice: two readers could each take another one", async () => {
    const elsewhere = temporaryFolder();
    write(elsewhere, "data.json", '{"a":{}}');
    pack(folder, ["-C", elsewhere, "./data.json", "-C", folder]);
    expect(await codeOf(verify(archive))).toBe("signature_malformed");
  });

  it("is refused with paths that lead out of it", async () => {
    pack(folder, ["--transform=s,^\\./data,../data,S", "-P"]);
    expect(await codeOf(verify(archive))).toBe("signature_malformed");
  });

  it("is refused when it is damaged or cut off, without a crash", async () => {
    pack(folder);
    const whole = read(folder, "bundle.tar.gz");
    for (let length = 0; length < whole.length; length += 29) {
      write(folder, "bundle.tar.gz", whole.subarray(0, length));
      expect(await codeOf(verify(archive))).toBe("signature_malformed");
    }
    const order = [".signatures.json", "authz", ".manifest", "data.json"];
    run("tar", ["cf", "plain.tar", "-C", "bundle", ...order], folder);
    const tar = read(folder, "plain.tar");
    const insideTheLast = tar.lastIndexOf("data.json") + 512 + 8;
    write(folder, "bundle.tar.gz", gzipSync(tar.subarray(0, insideTheLast)));
    expect(await codeOf(verify(archive))).toBe("signature_malformed");
    for (const at of [0, 100, 124, 130, 148, 156, 300]) {
      const damaged = Buffer.from(tar);
      damaged[at] = 0xff;
      write(folder, "bundle.tar.gz", gzipSync(damaged));
      expect(await codeOf(verify(archive))).toBe("signature_malformed");
    }
  });

  it("is refused when it unpacks to more than 16 MiB", async () => {
    write(folder, "bundle.tar.gz", gzipSync(Buffer.alloc(64 * 1024 * 1024)));
    expect(await codeOf(verify(archive))).toBe("too_large");
  });
});

describe("the token of an OPA bundle", () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

  it("must have the algorithm of the trusted key", async () => {
    const [, payload, signature] = valid.split(".");
    const hmac = createHash("sha256").update(key.publicPem).digest("base64url");
    for (const alg of ["none", "HS256", "ES384", "RS256", "PS256", "", undefined, null, ["ES256"]]) {
      for (const other of [signature, hmac, ""]) {
        const signed = `${part({ alg })}.${payload}.${other}`;
        expect(await codeOf(verifyToken(signed))).toBe("algorithm_refused");
      }
    }
    const claimed = `${part({ alg: "ES256" })}.${payload}.${hmac}`;
    expect(await codeOf(verifyToken(claimed))).toBe("signature_invalid");
  });

  it("does not bring its own key", async () => {
    const stranger = p256Key(folder);
    const jwk = { kty: "EC", crv: "P-256", x: "AA", y: "AA" };
    const signed = await token(
      stranger,
      "ES256",
      {},
      { jwk, jku: "https://example.com/keys", kid: "release" },
    );
    expect(await codeOf(verifyToken(signed))).toBe("signature_invalid");
    const unknown = await token(stranger, "ES256", {}, { kid: "stranger" });
    expect(await codeOf(verifyToken(unknown))).toBe("key_unknown");
  });

  it("must be the only one, in three parts, without extensions and without a plugin", async () => {
    const [header, payload, signature] = valid.split(".");
    for (const broken of [
      "",
      `${header}.${payload}`,
      `${valid}.x`,
      `${header}.${payload}.${signature}=`,
      `${part([])}.${payload}.${signature}`,
      `${part({ alg: "ES256", crit: ["b64"], b64: false })}.${payload}.${signature}`,
    ]) {
      expect(await codeOf(verifyToken(broken))).toBe("signature_malformed");
    }
    for (const document of [
      { signatures: [valid, valid] },
      { signatures: [] },
      { signatures: valid },
      {},
      [],
    ]) {
      write(folder, "bundle/.signatures.json", JSON.stringify(document));
      expect(await codeOf(verify())).toBe("signature_malformed");
    }
    const plugin = JSON.stringify({ signatures: [valid], plugin: "mine" });
    write(folder, "bundle/.signatures.json", plugin);
    expect(await codeOf(verify())).toBe("format_unsupported");
  });

  it("may not list hashes that can be forged", async () => {
    for (const algorithm of ["MD5", "SHA-1", "sha256", undefined]) {
      const files = FILES.map((file) => ({ ...file, algorithm }));
      expect(await codeOf(verifyToken(await token(key, "ES256", { files })))).toBe("algorithm_refused");
    }
    const sha512 = (text: string) => createHash("sha512").update(text).digest("hex");
    const [REGO_FILE, ...others] = FILES;
    const files = [{ ...REGO_FILE, hash: sha512(REGO), algorithm: "SHA-512" }, ...others];
    expect((await verifyToken(await token(key, "ES256", { files }))).id).toBe("egress");
  });

  it("must list each file once, by a plain path", async () => {
    const listed = async (files: unknown) => codeOf(verifyToken(await token(key, "ES256", { files })));
    expect(await listed([...FILES, FILES[0]])).toBe("member_mismatch");
    expect(await listed(FILES.map((file) => ({ ...file, name: `../${file.name}` })))).toBe(
      "signature_malformed",
    );
    expect(await listed(FILES.map(({ name, algorithm }) => ({ name, algorithm })))).toBe(
      "signature_malformed",
    );
    expect(await listed([null])).toBe("algorithm_refused");
    expect(await listed("files")).toBe("signature_malformed");
    const fromRoot = FILES.map((file) => ({ ...file, name: `/${file.name}` }));
    expect((await verifyToken(await token(key, "ES256", { files: fromRoot }))).id).toBe("egress");
  });

  it("must have the configured scope, and is valid in its own window", async () => {
    const scoped = await token(key, "ES256", { scope: "write" });
    expect((await verifyToken(scoped, { scope: "write" })).id).toBe("egress");
    expect(await codeOf(verifyToken(scoped))).toBe("metadata_mismatch");
    expect(await codeOf(verifyToken(scoped, { scope: "read" }))).toBe("metadata_mismatch");
    const dated = await token(key, "ES256", { nbf: 1767225600, exp: 1798675200 });
    const at = (time: string) => verifyToken(dated, {}, { clock: () => Date.parse(time) });
    expect((await at("2026-06-01T00:00:00Z")).id).toBe("egress");
    expect(await codeOf(at("2025-06-01T00:00:00Z"))).toBe("not_yet_valid");
    expect(await codeOf(at("2027-06-01T00:00:00Z"))).toBe("expired");
    const wrong = await token(key, "ES256", { exp: "never" });
    expect(await codeOf(verifyToken(wrong))).toBe("metadata_mismatch");
  });
});

describe("a bundle without a manifest", () => {
  it("verifies without signed metadata, and not where it is asked for", async () => {
    const signed = await token(key, "ES256", { files: FILES.filter(({ name }) => name !== ".manifest") });
    const reset = () => {
      writeBundle(folder, signed);
      rmSync(join(folder, "bundle/.manifest"));
    };
    reset();
    expect((await verify()).metadataSigned).toBe(false);
    expect(await codeOf(verify({ requireSignedMetadata: true }))).toBe("metadata_missing");
    cpSync(join(folder, "bundle/data.json"), join(folder, "bundle/.manifest"));
    expect(await codeOf(verify())).toBe("member_mismatch");
  });
});
