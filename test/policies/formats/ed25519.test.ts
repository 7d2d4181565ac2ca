import { describe, expect, it } from "vitest";
import { verifyPolicy } from "../../../src/policies/index.ts";
import { codeOf, described, read, write, writePolicy } from "../support/deployment.ts";
import { describeFormat } from "../support/format-suite.ts";
import { ed25519Key, p256Key, rawBase64, rsaKey, sign } from "../support/openssl.ts";

const { folder } = describeFormat("ed25519", {
  sign(folder) {
    const key = ed25519Key(folder);
    writePolicy(folder);
    write(folder, "egress.yaml.sig", sign(folder, key, read(folder, "egress.yaml")));
    write(folder, "signer.pub", key.publicPem);
    write(folder, "stranger.pub", ed25519Key(folder).publicPem);
    return {
      config: {
        ...described,
        format: "ed25519",
        signature: "egress.yaml.sig",
        trust: { publicKey: "signer.pub" },
      },
      signatureFile: "egress.yaml.sig",
      signatureBytes: [0, 64],
      strangersTrust: { publicKey: "stranger.pub" },
      publicKey: key.publicPem,
    };
  },
});

const config = { ...described, format: "ed25519", signature: "s", trust: { publicKey: "k" } } as const;

describe("an ed25519 signature", () => {
  it("may be one line of base64", async () => {
    const key = ed25519Key(folder);
    const signature = sign(folder, key, read(folder, "egress.yaml")).toString("base64");
    write(folder, "k", rawBase64(folder, key));
    for (const text of [signature, `${signature}\n`, `${signature}\r\n`]) {
      write(folder, "s", text);
      expect((await verifyPolicy(config, { folder })).id).toBe("egress");
    }
  });

  it("may not be base64 in any second spelling", async () => {
    const signature = sign(folder, ed25519Key(folder), read(folder, "egress.yaml")).toString("base64");
    const spellings = [
      signature.replace(/=+$/, ""),
      `${signature}\n\n`,
      `${signature}\r`,
      ` ${signature}`,
      signature.replace(/(.{20})/, "$1\n"),
      `\uFEFF${signature}`,
    ];
    for (const text of spellings) {
      write(folder, "s", text);
      expect(await codeOf(verifyPolicy(config, { folder }))).toBe("signature_malformed");
    }
  });

  it("is not taken from a key of another kind, however well that key signs", async () => {
    for (const key of [p256Key(folder), rsaKey(folder)]) {
      write(folder, "k", key.publicPem);
      write(folder, "s", Buffer.alloc(64, 1));
      expect(await codeOf(verifyPolicy(config, { folder }))).toBe("algorithm_refused");
    }
  });
});

// RFC 8032, section 7.1.
const VECTORS = [
  {
    key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    message: "",
    signature:
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
  },
  {
    key: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    message: "72",
    signature:
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
  },
  {
    key: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
    message: "af82",
    signature:
      "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
  },
] as const;

describe("the vectors of RFC 8032", () => {
  it.each(VECTORS)("verify: message $message", async ({ key, message, signature }) => {
    write(folder, "vector", Buffer.from(message, "hex"));
    write(folder, "s", Buffer.from(signature, "hex"));
    const keys = [{ id: "rfc", public_key: Buffer.from(key, "hex").toString("base64") }];
    const vector = { ...config, file: "vector", trust: { keys } };
    expect((await verifyPolicy(vector, { folder })).id).toBe("egress");
    write(folder, "vector", Buffer.from(`${message}00`, "hex"));
    expect(await codeOf(verifyPolicy(vector, { folder }))).toBe("signature_invalid");
  });

  it("do not verify with the group order added to the second half, which gives a second signature otherwise", async () => {
    const { key, message, signature } = VECTORS[1];
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const bytes = Buffer.from(signature, "hex");
    const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString("hex")}`) + order;
    const second = Buffer.from(s.toString(16).padStart(64, "0"), "hex").reverse();
    write(folder, "vector", Buffer.from(message, "hex"));
    write(folder, "s", Buffer.concat([bytes.subarray(0, 32), second]));
    const keys = [{ id: "rfc", public_key: Buffer.from(key, "hex").toString("base64") }];
    const verification = verifyPolicy({ ...config, file: "vector", trust: { keys } }, { folder });
    expect(await codeOf(verification)).toBe("signature_invalid");
  });
});
