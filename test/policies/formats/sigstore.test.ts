import { beforeAll, describe, expect, it } from "vitest";
import { verifyPolicy } from "../../../src/policies/index.ts";
import { codeOf, described, POLICY, read, write, writePolicy } from "../support/deployment.ts";
import { describeFormat } from "../support/format-suite.ts";
import { p256Key, sha256, sign } from "../support/openssl.ts";
import { IDENTITY, ISSUER, type SigstoreInstance, startSigstore } from "../support/sigstore.ts";
import { type DsseParts, envelope, statement } from "../support/statements.ts";

let sigstore: SigstoreInstance;
let stranger: SigstoreInstance;
const PREDICATE_TYPE = "https://example.com/policy/v1";
const IN_TOTO = "application/vnd.in-toto+json";
const trust = { trustedRoot: "trusted_root.json", identity: IDENTITY, issuer: ISSUER };

async function prepare(folder: string): Promise<void> {
  sigstore ??= await startSigstore();
  stranger ??= await startSigstore();
  writePolicy(folder);
  write(folder, "trusted_root.json", JSON.stringify(sigstore.trustedRoot));
  write(folder, "strangers_root.json", JSON.stringify(stranger.trustedRoot));
}

/** Where the text of a field's value stands in a file. */
function placeOf(text: string, field: string): readonly [number, number] {
  const start = text.indexOf(`"${field}":"`) + field.length + 4;
  return [start, text.indexOf('"', start)];
}

const { folder } = describeFormat("sigstore, over the file", {
  keyed: false,
  runs: 60,
  async sign(folder) {
    await prepare(folder);
    const text = JSON.stringify(await sigstore.signFile(Buffer.from(POLICY)));
    write(folder, "egress.sigstore.json", text);
    return {
      config: { ...described, format: "sigstore", signature: "egress.sigstore.json", trust },
      signatureFile: "egress.sigstore.json",
      signatureBytes: placeOf(text, "signature"),
      strangersTrust: { ...trust, trustedRoot: "strangers_root.json" },
    };
  },
});

describeFormat("sigstore, over a statement about the file", {
  keyed: false,
  signsMetadata: true,
  changedFile: ["digest_mismatch"],
  runs: 60,
  async sign(folder) {
    await prepare(folder);
    const data = Buffer.from(statement({ sha256: sha256(folder, "egress.yaml") }));
    const text = JSON.stringify(await sigstore.signStatement(data, IN_TOTO));
    write(folder, "egress.sigstore.json", text);
    return {
      config: {
        ...described,
        format: "sigstore",
        signature: "egress.sigstore.json",
        predicateType: PREDICATE_TYPE,
        trust,
      },
      signatureFile: "egress.sigstore.json",
      signatureBytes: placeOf(text, "sig"),
      strangersTrust: { ...trust, trustedRoot: "strangers_root.json" },
    };
  },
});

const verify = (bundle: unknown, changes: object = {}) => {
  write(folder, "other.json", JSON.stringify(bundle));
  const config = { ...described, format: "sigstore", signature: "other.json", trust, ...changes };
  return verifyPolicy(config as never, { folder });
};
const signStatement = (parts: DsseParts, type = IN_TOTO) =>
  sigstore.signStatement(Buffer.from(statement({ sha256: sha256(folder, "egress.yaml"), ...parts })), type);

describe("the identity in a sigstore bundle", () => {
  let bundle: Record<string, unknown>;
  beforeAll(async () => {
    bundle = await sigstore.signFile(Buffer.from(POLICY));
  });

  it.each([
    "policy-signer.example.com",
    "policy.signer@example.com",
    "policy-signer@example.co",
    "signer@example.com",
    "olicy-signer@example.com",
    `${IDENTITY}.evil.com`,
    ".*",
    "^.*$",
    `${IDENTITY}\n`,
    IDENTITY.toUpperCase(),
  ])("is compared exactly and never as a pattern: %j", async (identity) => {
    expect(await codeOf(verify(bundle, { trust: { ...trust, identity } }))).toBe("identity_mismatch");
  });

  it.each(["https://issuer.example.com/", "https://issuer.example", ".*", "http://issuer.example.com"])(
    "counts with its own issuer only: %j",
    async (issuer) => {
      expect(await codeOf(verify(bundle, { trust: { ...trust, issuer } }))).toBe("identity_mismatch");
    },
  );

  it("is refused when another one signed, at the same authority", async () => {
    const other = await sigstore.signFile(Buffer.from(POLICY), { email: "other@example.com" });
    expect(await codeOf(verify(other))).toBe("identity_mismatch");
    const longer = await sigstore.signFile(Buffer.from(POLICY), { email: `${IDENTITY}.evil.com` });
    expect(await codeOf(verify(longer))).toBe("identity_mismatch");
    const elsewhere = await sigstore.signFile(Buffer.from(POLICY), { issuer: "https://other.example.com" });
    expect(await codeOf(verify(elsewhere))).toBe("identity_mismatch");
  });

  it.each(["identity", "issuer", "trustedRoot"])(
    "cannot be left open: %s must be configured",
    async (field) => {
      for (const value of [undefined, "", null, 1]) {
        const changes = { trust: { ...trust, [field]: value } };
        expect(await codeOf(verify(bundle, changes))).toBe("config_invalid");
      }
    },
  );
});

describe("a sigstore bundle", () => {
  it("is one text: the same signature in another spelling is refused", async () => {
    const { messageSignature, ...rest } = structuredClone(await sigstore.signFile(Buffer.from(POLICY))) as {
      messageSignature: { signature: string };
    };
    const spelt = (signature: unknown) =>
      codeOf(verify({ ...rest, messageSignature: { ...messageSignature, signature } }));
    const { signature } = messageSignature;
    expect((await verify({ ...rest, messageSignature })).id).toBe("egress");
    for (const other of [`${signature}\n`, ` ${signature}`, `${signature}====`, 7, null])
      expect(await spelt(other)).toBe("signature_malformed");
  });

  it("is refused without its entry in the log, without its time, and with the one of another file", async () => {
    const bundle = structuredClone(await sigstore.signFile(Buffer.from(POLICY)));
    const material = bundle.verificationMaterial as { tlogEntries: Record<string, unknown>[] };
    const entries = material.tlogEntries;
    material.tlogEntries = [];
    expect(await codeOf(verify(bundle))).toBe("signature_invalid");
    material.tlogEntries = [{ ...entries[0], integratedTime: "0" }];
    expect(await codeOf(verify(bundle))).toBe("signature_invalid");
    const other = await sigstore.signFile(Buffer.from("egress: {}\n"));
    material.tlogEntries = (other.verificationMaterial as typeof material).tlogEntries;
    expect(await codeOf(verify(bundle))).toBe("signature_invalid");
    material.tlogEntries = entries;
    expect((await verify(bundle)).id).toBe("egress");
  });

  it("is refused when the authority's time was over before the log saw it", async () => {
    const bundle = await sigstore.signFile(Buffer.from(POLICY));
    const root = structuredClone(sigstore.trustedRoot);
    for (const authority of root.certificateAuthorities) {
      authority.validFor.end = new Date(Date.now() - 1_800_000).toISOString();
    }
    write(folder, "expired_root.json", JSON.stringify(root));
    const changes = { trust: { ...trust, trustedRoot: "expired_root.json" } };
    expect(await codeOf(verify(bundle, changes))).toBe("signature_invalid");
  });

  it("made with a key is refused here, whatever its key: it has no identity", async () => {
    const key = p256Key(folder);
    const verificationMaterial = { publicKey: { hint: "release" }, tlogEntries: [] };
    const mediaType = "application/vnd.dev.sigstore.bundle.v0.3+json";
    const signature = sign(folder, key, POLICY).toString("base64");
    const digest = Buffer.from(sha256(folder, "egress.yaml"), "hex").toString("base64");
    const messageSignature = { messageDigest: { algorithm: "SHA2_256", digest }, signature };
    const keyed = { mediaType, verificationMaterial, messageSignature };
    expect(await codeOf(verify(keyed))).toBe("format_unsupported");
    const dsseEnvelope = envelope(folder, key, { sha256: sha256(folder, "egress.yaml") });
    expect(await codeOf(verify({ mediaType, verificationMaterial, dsseEnvelope }))).toBe(
      "format_unsupported",
    );
  });

  it("with a statement is refused where none is configured, and the other way round", async () => {
    expect(await codeOf(verify(await signStatement({})))).toBe("predicate_mismatch");
    const overFile = await sigstore.signFile(Buffer.from(POLICY));
    expect(await codeOf(verify(overFile, { predicateType: PREDICATE_TYPE }))).toBe("predicate_mismatch");
  });

  it("with a statement is refused when it is of another type, about another file, or of another version", async () => {
    const predicateType = { predicateType: PREDICATE_TYPE };
    const report = await signStatement({ predicateType: "https://example.com/scan-report/v1" });
    expect(await codeOf(verify(report, predicateType))).toBe("predicate_mismatch");
    const typed = await signStatement({}, "application/json");
    expect(await codeOf(verify(typed, predicateType))).toBe("predicate_mismatch");
    const elsewhere = await signStatement({ sha256: "0".repeat(64) });
    expect(await codeOf(verify(elsewhere, predicateType))).toBe("digest_mismatch");
    const older = await signStatement({ predicate: { id: "egress", version: "3.0.0" } });
    expect(await codeOf(verify(older, predicateType))).toBe("metadata_mismatch");
  });

  it("or a trusted root that is damaged is refused, without a crash", async () => {
    const bundle = await sigstore.signFile(Buffer.from(POLICY));
    for (const damaged of [
      {},
      [],
      null,
      "x",
      { ...bundle, mediaType: "x" },
      { ...bundle, verificationMaterial: {} },
    ]) {
      expect(await codeOf(verify(damaged))).toBe("signature_malformed");
    }
    const root = read(folder, "trusted_root.json").toString();
    for (const damaged of [
      "",
      "null",
      root.slice(0, 200),
      root.replace(/"rawBytes":"[^"]{40}/g, '"rawBytes":"'),
    ]) {
      write(folder, "damaged_root.json", damaged);
      const changes = { trust: { ...trust, trustedRoot: "damaged_root.json" } };
      expect(await codeOf(verify(bundle, changes))).toBe("trust_root_invalid");
    }
    write(folder, "damaged_root.json", "{}");
    const empty = { trust: { ...trust, trustedRoot: "damaged_root.json" } };
    expect(["trust_root_invalid", "signature_invalid"]).toContain(await codeOf(verify(bundle, empty)));
  });
});
