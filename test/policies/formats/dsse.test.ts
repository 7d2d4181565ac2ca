import { describe, expect, it } from "vitest";
import { verifyPolicy } from "../../../src/policies/index.ts";
import { codeOf, described, write, writePolicy } from "../support/deployment.ts";
import { describeFormat } from "../support/format-suite.ts";
import { ed25519Key, type OpensslKey, p256Key, sha256 } from "../support/openssl.ts";
import { type DsseParts, envelope } from "../support/statements.ts";

const PREDICATE_TYPE = "https://example.com/policy/v1";
let key: OpensslKey;

const { folder } = describeFormat("dsse", {
  changedFile: ["digest_mismatch"],
  signsMetadata: true,
  sign(folder) {
    key = p256Key(folder);
    writePolicy(folder);
    write(folder, "cosign.pub", key.publicPem);
    write(folder, "stranger.pub", p256Key(folder).publicPem);
    const text = JSON.stringify(signedEnvelope({}));
    write(folder, "egress.dsse.json", text);
    return {
      config: { ...config, signature: "egress.dsse.json" },
      signatureFile: "egress.dsse.json",
      signatureBytes: [0, text.length],
      strangersTrust: { publicKey: "stranger.pub" },
      publicKey: key.publicPem,
    };

    function signedEnvelope(parts: DsseParts) {
      return envelope(folder, key, { sha256: sha256(folder, "egress.yaml"), ...parts });
    }
  },
});

const config = {
  ...described,
  format: "dsse",
  signature: "other.json",
  predicateType: PREDICATE_TYPE,
  trust: { publicKey: "cosign.pub" },
} as const;

const signed = (parts: DsseParts = {}, by = key) =>
  envelope(folder, by, { sha256: sha256(folder, "egress.yaml"), ...parts });
const verifyDocument = (document: unknown, changes: object = {}, options: object = {}) => {
  write(folder, "other.json", typeof document === "string" ? document : JSON.stringify(document));
  return verifyPolicy({ ...config, ...changes } as typeof config, { folder, ...options });
};

describe("a DSSE envelope", () => {
  it("may be inside a sigstore bundle of versions 0.1 to 0.3, and in the bundle of cosign 2", async () => {
    const dsseEnvelope = signed();
    for (const version of ["+json;version=0.1", "+json;version=0.2", "+json;version=0.3", ".v0.3+json"]) {
      const mediaType = `application/vnd.dev.sigstore.bundle${version}`;
      expect((await verifyDocument({ mediaType, verificationMaterial: {}, dsseEnvelope })).id).toBe("egress");
    }
    const base64Signature = Buffer.from(JSON.stringify(dsseEnvelope)).toString("base64");
    expect((await verifyDocument({ base64Signature })).id).toBe("egress");
    const later = { mediaType: "application/vnd.dev.sigstore.bundle.v9+json", dsseEnvelope };
    expect(await codeOf(verifyDocument(later))).toBe("signature_malformed");
  });

  it("may be signed with an Ed25519 key", async () => {
    const ed25519 = ed25519Key(folder);
    write(folder, "ed25519.pub", ed25519.publicPem);
    const trust = { publicKey: "ed25519.pub" };
    expect((await verifyDocument(signed({}, ed25519), { trust })).id).toBe("egress");
    expect(await codeOf(verifyDocument(signed(), { trust }))).toBe("signature_invalid");
  });

  it("needs one signature of a trusted key among all it has", async () => {
    const [own, strange] = [signed(), signed({}, p256Key(folder))];
    const both = { ...own, signatures: [...strange.signatures, ...own.signatures] };
    expect((await verifyDocument(both)).id).toBe("egress");
    const many = { ...own, signatures: Array.from({ length: 17 }, () => own.signatures[0]) };
    expect(await codeOf(verifyDocument(many))).toBe("signature_malformed");
    expect(await codeOf(verifyDocument({ ...own, signatures: [] }))).toBe("signature_malformed");
  });

  it("names a key only as a hint: it neither helps a stranger nor hinders a trusted key", async () => {
    const keys = [{ id: "release", public_key: key.publicPem }];
    const byStranger = signed({}, p256Key(folder));
    const named = (document: typeof byStranger, keyid: string) => ({
      ...document,
      signatures: document.signatures.map((one) => ({ ...one, keyid })),
    });
    const trust = { keys };
    expect(await codeOf(verifyDocument(named(byStranger, "release"), { trust }))).toBe("signature_invalid");
    expect(await codeOf(verifyDocument(named(byStranger, "stranger"), { trust }))).toBe("key_unknown");
    expect((await verifyDocument(named(signed(), "stranger"), { trust })).id).toBe("egress");
  });

  it("is refused when the payload was changed after signing, in any of its metadata", async () => {
    const document = signed();
    const payload = Buffer.from(document.payload, "base64").toString();
    for (const [from, to] of [
      ["3.1.0", "3.1.1"],
      ["egress", "ingress"],
      [PREDICATE_TYPE, "https://example.com/policy/v2"],
    ] as const) {
      const changed = Buffer.from(payload.replaceAll(from, to)).toString("base64");
      expect(await codeOf(verifyDocument({ ...document, payload: changed }))).toBe("signature_invalid");
    }
    const payloadType = "application/json";
    expect(await codeOf(verifyDocument({ ...document, payloadType }))).toBe("signature_invalid");
  });

  it("is refused when a report, or anything else that is not a policy, is signed in it", async () => {
    const report = signed({ predicateType: "https://example.com/scan-report/v1" });
    expect(await codeOf(verifyDocument(report))).toBe("predicate_mismatch");
    expect(await codeOf(verifyDocument(signed({ payloadType: "application/json" })))).toBe(
      "predicate_mismatch",
    );
    expect(await codeOf(verifyDocument(signed({ statementType: "https://x/Statement/v9" })))).toBe(
      "predicate_mismatch",
    );
  });

  it("is refused when it is about another file", async () => {
    expect(await codeOf(verifyDocument(signed({ sha256: "0".repeat(64) })))).toBe("digest_mismatch");
    expect(await codeOf(verifyDocument(signed({ subject: [] })))).toBe("digest_mismatch");
    expect(await codeOf(verifyDocument(signed({ subject: "x" })))).toBe("digest_mismatch");
    expect(await codeOf(verifyDocument(signed({ subject: [null, { digest: null }] })))).toBe(
      "digest_mismatch",
    );
  });

  it("is refused when it is cut off, empty, or something else", async () => {
    const text = JSON.stringify(signed());
    const others = ["", "{}", "[]", "null", "1", text.slice(0, -2), `${text}${text}`, `\uFEFF${text}`];
    for (const other of others) expect(await codeOf(verifyDocument(other))).toBe("signature_malformed");
    const unpadded = { ...signed(), payload: signed().payload.replace(/=*$/, "A") };
    expect(await codeOf(verifyDocument(unpadded))).toBe("signature_malformed");
  });
});

describe("the metadata that a statement signs", () => {
  const predicate = { id: "egress", version: "3.1.0" };
  const codeFor = (signedPredicate: unknown, changes: object = {}, options: object = {}) =>
    codeOf(verifyDocument(signed({ predicate: signedPredicate }), changes, options));

  it("must have an id and a version, unless the configuration does without", async () => {
    expect(await codeFor({ id: "egress" })).toBe("metadata_missing");
    expect(await codeFor({ version: "3.1.0" })).toBe("metadata_missing");
    expect(await codeFor(undefined)).toBe("metadata_missing");
    const without = await verifyDocument(signed({ predicate: {} }), { requireSignedMetadata: false });
    expect(without.metadataSigned).toBe(false);
    const differing = { ...predicate, id: "other" };
    expect(await codeFor(differing, { requireSignedMetadata: false })).toBe("metadata_mismatch");
  });

  it("must have the configured type and scope", async () => {
    expect((await verifyDocument(signed({ predicate: { ...predicate, type: "sandbox" } }))).id).toBe(
      "egress",
    );
    expect(await codeFor({ ...predicate, type: "retention" })).toBe("metadata_mismatch");
    const scoped = { ...predicate, scope: "production" };
    expect((await verifyDocument(signed({ predicate: scoped }), { scope: "production" })).id).toBe("egress");
    expect(await codeFor(scoped)).toBe("metadata_mismatch");
    expect(await codeFor(scoped, { scope: "staging" })).toBe("metadata_mismatch");
    expect(await codeFor(predicate, { scope: "production" })).toBe("metadata_missing");
  });

  it.each([
    ["not_before", "expires_at"],
    ["notBefore", "expiresAt"],
  ])("is in force from %s to %s", async (from, to) => {
    const dated = { ...predicate, [from]: "2026-01-01T00:00:00Z", [to]: "2026-12-31T00:00:00Z" };
    const at = (time: string) => ({ clock: () => Date.parse(time) });
    const verified = await verifyDocument(signed({ predicate: dated }), {}, at("2026-06-01T00:00:00Z"));
    expect(verified.metadataSigned).toBe(true);
    expect(await codeFor(dated, {}, at("2025-12-31T23:59:59Z"))).toBe("not_yet_valid");
    expect(await codeFor(dated, {}, at("2026-12-31T00:00:01Z"))).toBe("expired");
    const stated = { notBefore: "2026-01-01T01:00:00+01:00", expiresAt: "2026-12-31T00:00:00.000Z" };
    const same = await verifyDocument(signed({ predicate: dated }), stated, at("2026-06-01T00:00:00Z"));
    expect(same.id).toBe("egress");
    const longer = { expiresAt: "2030-01-01T00:00:00Z" };
    expect(await codeFor(dated, longer, at("2026-06-01T00:00:00Z"))).toBe("metadata_mismatch");
  });

  it("is refused in wrong types, in two spellings at once, and with dates that have no zone", async () => {
    expect(await codeFor({ ...predicate, version: 3.1 })).toBe("metadata_mismatch");
    expect(await codeFor({ ...predicate, id: { toString: "egress" } })).toBe("metadata_mismatch");
    expect(await codeFor([])).toBe("metadata_mismatch");
    const day = "2099-01-01T00:00:00Z";
    expect(await codeFor({ ...predicate, expires_at: day, expiresAt: day })).toBe("metadata_mismatch");
    for (const date of ["2099-01-01", "2099-01-01T00:00:00", "2099-02-31T00:00:00Z", 4070908800, "never"]) {
      expect(await codeFor({ ...predicate, expires_at: date })).toBe("metadata_mismatch");
    }
  });
});
