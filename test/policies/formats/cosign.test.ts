import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { verifyPolicy } from "../../../src/policies/index.ts";
import { codeOf, described, flip, read, write, writePolicy } from "../support/deployment.ts";
import { describeFormat } from "../support/format-suite.ts";
import { ed25519Key, p256Key, rsaKey, sign, withoutAsn1 } from "../support/openssl.ts";

const { folder, policy } = describeFormat("cosign", {
  sign(folder) {
    const key = p256Key(folder);
    writePolicy(folder);
    const signature = sign(folder, key, read(folder, "egress.yaml")).toString("base64");
    write(folder, "egress.yaml.sig", signature);
    write(folder, "cosign.pub", key.publicPem);
    write(folder, "stranger.pub", p256Key(folder).publicPem);
    return {
      config: {
        ...described,
        format: "cosign",
        signature: "egress.yaml.sig",
        trust: { publicKey: "cosign.pub" },
      },
      signatureFile: "egress.yaml.sig",
      signatureBytes: [0, signature.length],
      strangersTrust: { publicKey: "stranger.pub" },
      publicKey: key.publicPem,
    };
  },
});

const verifyText = (signature: string) => {
  write(folder, "other.sig", signature);
  return verifyPolicy({ ...policy().config, signature: "other.sig" } as never, { folder });
};

describe("a cosign signature", () => {
  const signature = () => read(folder, "egress.yaml.sig").toString();
  const digest = () => createHash("sha256").update(read(folder, "egress.yaml"));

  it("may come in the bundle of cosign 2", async () => {
    const bundle = { base64Signature: signature(), cert: "", rekorBundle: {} };
    expect((await verifyText(JSON.stringify(bundle))).id).toBe("egress");
  });

  it("may come in a sigstore bundle, whose digest must then be the file's", async () => {
    const bundle = (messageDigest: object) =>
      JSON.stringify({
        mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json",
        verificationMaterial: { publicKey: { hint: "x" }, tlogEntries: [] },
        messageSignature: { messageDigest, signature: signature() },
      });
    const right = digest().digest();
    const verified = await verifyText(bundle({ algorithm: "SHA2_256", digest: right.toString("base64") }));
    expect(verified.metadataSigned).toBe(false);
    const wrong = Buffer.from(flip(right, 0)).toString("base64");
    expect(await codeOf(verifyText(bundle({ algorithm: "SHA2_256", digest: wrong })))).toBe(
      "digest_mismatch",
    );
  });

  it("is refused in other encodings, and where there is none", async () => {
    const der = Buffer.from(signature(), "base64");
    const others = [der.toString("latin1"), "{}", "[]", "nul", "{", '{"messageSignature":{}}'];
    for (const other of others) expect(await codeOf(verifyText(other))).toBe("signature_malformed");
    expect(await codeOf(verifyText(withoutAsn1(der).toString("base64")))).toBe("signature_invalid");
    // Hexadecimal digits are base64 too, when their number fits.
    await codeOf(verifyText(der.toString("hex")));
  });

  it("is only ever ECDSA on P-256: a trusted key of another kind verifies nothing", async () => {
    for (const key of [ed25519Key(folder), rsaKey(folder)]) {
      const made = sign(folder, key, read(folder, "egress.yaml")).toString("base64");
      write(folder, "other.pub", key.publicPem);
      write(folder, "other.sig", made);
      const config = { ...policy().config, signature: "other.sig", trust: { publicKey: "other.pub" } };
      expect(await codeOf(verifyPolicy(config as never, { folder }))).toBe("algorithm_refused");
    }
  });
});
