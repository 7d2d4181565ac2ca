import { createHash } from "node:crypto";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { verifyPolicy } from "../../../src/policies/index.ts";
import { codeOf, described, flip, temporaryFolder, write } from "../support/deployment.ts";
import { describeFormat } from "../support/format-suite.ts";
import { ed25519Key, type OpensslKey, p256Key, sign, withoutAsn1 } from "../support/openssl.ts";

const ED25519 = "ED25519_PUREEDDSA_RAW_RS64_CANONICAL";
const ECDSA = "ECDSA_SECP256R1_SHA256_RAW_RS64";

const bundle = (lines: readonly string[] = []) =>
  [
    "apiVersion: nvidia.agent-policy-fabric.policy/v1alpha1",
    "kind: PolicyBundle",
    "id: egress",
    "policy_revision: 3.1.0",
    ...lines,
    "",
  ].join("\n");

/** A file with its signature document, signed by OpenSSL. `fields` replaces lines of the signature document. */
function sigil(folder: string, key: OpensslKey, payload: string | Uint8Array, fields: object = {}): Buffer {
  const made = sign(folder, key, payload);
  const isEd25519 = made.length === 64;
  const values = {
    schema: "YamlSigilSignature.v1alpha1",
    alg: isEd25519 ? ED25519 : ECDSA,
    keyid: "release",
    signature: (isEd25519 ? made : withoutAsn1(made)).toString("base64url"),
    ...fields,
  };
  const lines = Object.entries(values).filter(([, value]) => value !== undefined);
  const carrier = lines.map(([name, value]) => `${name}: ${value}\n`).join("");
  return Buffer.concat([Buffer.from(payload), Buffer.from(`---\n${carrier}`)]);
}

describe.each([
  ["Ed25519", ed25519Key],
  ["ECDSA P-256", p256Key],
] as const)("with %s,", (algorithm, makeKey) => {
  describeFormat(`yaml-sigil (${algorithm})`, {
    signsMetadata: true,
    sign(folder) {
      const key = makeKey(folder);
      const file = sigil(folder, key, bundle());
      write(folder, "egress.yaml", file);
      write(folder, "release.pub", key.publicPem);
      write(folder, "stranger.pub", makeKey(folder).publicPem);
      const start = file.indexOf("signature: ") + 11;
      return {
        config: { ...described, format: "yaml-sigil", trust: { publicKey: "release.pub" } },
        signatureFile: "egress.yaml",
        signatureBytes: [start, file.indexOf("\n", start)],
        fileBytes: [0, bundle().length - 1],
        strangersTrust: { publicKey: "stranger.pub" },
        publicKey: key.publicPem,
      };
    },
  });
});

const folder = temporaryFolder();
const key = ed25519Key(folder);
const config = {
  ...described,
  format: "yaml-sigil",
  trust: { keys: [{ id: "release", public_key: key.publicPem }] },
} as const;
const verify = (file: string | Uint8Array, changes: object = {}, options: object = {}) => {
  write(folder, "egress.yaml", file);
  return verifyPolicy({ ...config, ...changes } as typeof config, { folder, ...options });
};

describe("a YamlSigil file", () => {
  it("gives its payload as the signed part, and the hash of all of it", async () => {
    const file = sigil(folder, key, bundle());
    const verified = await verify(file);
    expect(Buffer.from(verified.signedBytes).toString()).toBe(bundle());
    expect(Buffer.from(verified.bytes)).toEqual(file);
    expect(verified.sha256).toBe(createHash("sha256").update(file).digest("hex"));
  });

  it("verifies with the first vector of RFC 8032: an empty payload", async () => {
    const signature = Buffer.from(
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
      "hex",
    );
    const file = `---\nschema: YamlSigilSignature.v1alpha1\nalg: ${ED25519}\nsignature: ${signature.toString("base64url")}\n`;
    const raw = Buffer.from("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "hex");
    const trust = { keys: [{ id: "rfc", public_key: raw.toString("base64") }] };
    // The signature is right; what an empty payload lacks is an id and a version.
    expect(await codeOf(verify(file, { trust }))).toBe("metadata_mismatch");
    expect(await codeOf(verify(`#${file}`, { trust }))).toBe("signature_malformed");
    expect(await codeOf(verify(`#\n${file}`, { trust }))).toBe("signature_invalid");
  });

  it("may have carriage returns, in the payload, in the marker and in the signature document", async () => {
    const payload = bundle().replaceAll("\n", "\r\n");
    const text = sigil(folder, key, payload).toString();
    const carrier = text.slice(payload.length).replaceAll("\n", "\r\n");
    expect((await verify(payload + carrier)).id).toBe("egress");
  });

  it("is cut at the last marker: an earlier one belongs to the payload", async () => {
    const payload = `---\n${bundle()}`;
    expect(Buffer.from((await verify(sigil(folder, key, payload))).signedBytes).toString()).toBe(payload);
  });

  it("reads a version as text: as a number, 3.10 would be 3.1", async () => {
    const file = sigil(folder, key, bundle().replace("3.1.0", "3.10"));
    expect((await verify(file, { version: "3.10" })).version).toBe("3.10");
    expect(await codeOf(verify(file, { version: "3.1" }))).toBe("metadata_mismatch");
  });

  it("is in force in its own window", async () => {
    const dated = bundle(["not_before: 2026-01-01T00:00:00Z", "expires_at: '2026-12-31T00:00:00Z'"]);
    const file = sigil(folder, key, dated);
    const at = (time: string) => verify(file, {}, { clock: () => Date.parse(time) });
    expect((await at("2026-06-01T00:00:00Z")).id).toBe("egress");
    expect(await codeOf(at("2025-06-01T00:00:00Z"))).toBe("not_yet_valid");
    expect(await codeOf(at("2027-06-01T00:00:00Z"))).toBe("expired");
  });
});

describe("what is no YamlSigil file", () => {
  const carrier = () => sigil(folder, key, bundle()).toString().slice(bundle().length);

  it.each([
    ["nothing at all", () => ""],
    ["a file without a marker", () => bundle()],
    ["a marker with nothing behind it", () => `${bundle()}---\n`],
    ["a marker that is not a line of its own", () => bundle() + carrier().replace("---\n", "--- \n")],
    ["a marker in the middle of a line", () => `${bundle()}#${carrier()}`],
    ["a marker at the very end", () => `${bundle()}---`],
    [
      "a second marker inside the signature document",
      () => bundle() + carrier().replace("alg:", "---\nalg:"),
    ],
    ["a byte order mark", () => `\uFEFF${bundle()}${carrier()}`],
    [
      "bytes that are not UTF-8",
      () => Buffer.concat([Buffer.from([0xff, 0xfe]), sigil(folder, key, bundle())]),
    ],
    [
      "an overlong form of a slash",
      () => Buffer.concat([Buffer.from([0xc0, 0xaf]), sigil(folder, key, bundle())]),
    ],
  ])("%s is refused", async (_, file) => {
    expect(await codeOf(verify(file()))).toBe("signature_malformed");
  });

  it.each([
    ["another schema", { schema: "YamlSigilSignature.v1" }],
    ["no schema", { schema: undefined }],
    ["no algorithm", { alg: undefined }],
    ["no signature", { signature: undefined }],
    ["an unknown field", { comment: "x" }],
    ["a field twice", { "keyid: a\nkeyid": "b" }],
    ["a padded signature", { signature: `${Buffer.alloc(64).toString("base64")}` }],
    ["stray bits in the signature", { signature: `${Buffer.alloc(64).toString("base64url").slice(0, -1)}B` }],
    ["a signature of 63 bytes", { signature: Buffer.alloc(63).toString("base64url") }],
    ["an alias", { keyid: "&a x", "keyid2: *a\nkeyid3": "x" }],
    ["a tag", { keyid: "!secret x" }],
    ["a list", { keyid: "[a, b]" }],
    ["too much", { keyid: "x".repeat(17_000) }],
    ["nesting without end", { keyid: "[".repeat(16_000) }],
  ])("%s in the signature document is refused", async (_, fields) => {
    expect(await codeOf(verify(sigil(folder, key, bundle(), fields)))).toBe("signature_malformed");
  });

  it("an algorithm that is unknown, or not the trusted key's, is refused", async () => {
    for (const alg of ["none", "HS256", "ED25519", "RSA", ECDSA]) {
      expect(await codeOf(verify(sigil(folder, key, bundle(), { alg })))).toBe("algorithm_refused");
    }
  });

  it("a key id that no trusted key has tells a stranger from a change", async () => {
    const stranger = ed25519Key(folder);
    expect(await codeOf(verify(sigil(folder, stranger, bundle())))).toBe("signature_invalid");
    expect(await codeOf(verify(sigil(folder, stranger, bundle(), { keyid: "other" })))).toBe("key_unknown");
    expect((await verify(sigil(folder, key, bundle(), { keyid: "other" }))).id).toBe("egress");
    expect((await verify(sigil(folder, key, bundle(), { keyid: undefined }))).id).toBe("egress");
  });
});

describe("a signed payload that cannot be a policy", () => {
  it.each([
    ["metadata_missing", "egress: {}\n"],
    ["metadata_missing", "id: egress\n"],
    ["metadata_mismatch", "- id: egress\n"],
    ["metadata_mismatch", "id: egress\nid: egress\npolicy_revision: 3.1.0\n"],
    ["metadata_mismatch", "id: !!str egress\npolicy_revision: !x 3.1.0\n"],
    ["metadata_mismatch", "id: egress\npolicy_revision: 3.1.0\n---\nid: other\n"],
    ["metadata_missing", "a: &a egress\nid: *a\npolicy_revision: 3.1.0\n"],
    ["metadata_mismatch", "id: [egress]\npolicy_revision: 3.1.0\n"],
    ["metadata_missing", "? [id]\n: egress\npolicy_revision: 3.1.0\n"],
    ["metadata_mismatch", "id: egress\n  bad: [\n"],
  ] as const)("is refused as %s: %j", async (code, payload) => {
    expect(await codeOf(verify(sigil(folder, key, payload)))).toBe(code);
  });

  it("with aliases that unfold to millions costs nothing", async () => {
    const layers = Array.from(
      { length: 30 },
      (_, n) => `a${n}: &a${n} [${`*a${n - 1},`.repeat(n === 0 ? 0 : 9)}x]`,
    );
    expect((await verify(sigil(folder, key, bundle(layers)))).id).toBe("egress");
  });
});

describe("the member files of a bundle", () => {
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  const listed = (...members: readonly (readonly [string, string])[]) =>
    sigil(
      folder,
      key,
      bundle([
        "manifest:",
        ...members.flatMap(([path, sha256]) => [`  - path: ${path}`, `    sha256: ${sha256}`]),
      ]),
    );

  beforeEach(() => {
    mkdirSync(join(folder, "rules"), { recursive: true });
    write(folder, "rules/net.yaml", "net");
    write(folder, "fs.yaml", "fs");
  });

  it("are read with it and must have the signed hashes", async () => {
    const file = listed(["rules/net.yaml", hash("net")], ["fs.yaml", hash("fs")]);
    const { members } = await verify(file);
    expect([...members].map(([path, bytes]) => [path, Buffer.from(bytes).toString()])).toEqual([
      ["rules/net.yaml", "net"],
      ["fs.yaml", "fs"],
    ]);
    write(folder, "fs.yaml", flip(Buffer.from("fs"), 0));
    expect(await codeOf(verify(file))).toBe("member_mismatch");
    rmSync(join(folder, "fs.yaml"));
    expect(await codeOf(verify(file))).toBe("unreadable");
  });

  it("may not lie outside of the bundle's folder, whatever their hash", async () => {
    const outside = temporaryFolder();
    write(outside, "fs.yaml", "fs");
    for (const path of [
      "../fs.yaml",
      "/etc/hostname",
      "rules/../fs.yaml",
      "./fs.yaml",
      "rules//net.yaml",
      "a\\b",
    ]) {
      expect(await codeOf(verify(listed([path, hash("fs")])))).toBe("member_mismatch");
    }
    rmSync(join(folder, "fs.yaml"));
    symlinkSync(join(outside, "fs.yaml"), join(folder, "fs.yaml"));
    expect(await codeOf(verify(listed(["fs.yaml", hash("fs")])))).toBe("outside_folder");
    rmSync(join(folder, "fs.yaml"));
  });

  it("may not be listed twice, without a hash, or as something else than a list", async () => {
    const fs = ["fs.yaml", hash("fs")] as const;
    expect(await codeOf(verify(listed(fs, fs)))).toBe("member_mismatch");
    for (const manifest of [
      "manifest: x",
      "manifest: [x]",
      "manifest: [{path: fs.yaml}]",
      "manifest: {a: b}",
    ]) {
      expect(await codeOf(verify(sigil(folder, key, bundle([manifest]))))).toBe("member_mismatch");
    }
  });

  it("are read from the bundle's own folder when the manifest of the deployment lies above", async () => {
    write(folder, "rules/bundle.yaml", listed(["net.yaml", hash("net")]));
    const below = await verifyPolicy({ ...config, file: "rules/bundle.yaml" }, { folder });
    expect([...below.members.keys()]).toEqual(["net.yaml"]);
    write(folder, "rules/bundle.yaml", listed(["fs.yaml", hash("fs")]));
    expect(await codeOf(verifyPolicy({ ...config, file: "rules/bundle.yaml" }, { folder }))).toBe(
      "unreadable",
    );
  });
});
