import { describe, expect, it } from "vitest";
import { verifyPolicy } from "../../../src/policies/index.ts";
import { codeOf, described, read, write, writePolicy } from "../support/deployment.ts";
import { describeFormat } from "../support/format-suite.ts";
import { run } from "../support/tools.ts";

const NAMESPACE = "policy@example.com";

function sshKey(folder: string, name: string, type = "ed25519"): string {
  run("ssh-keygen", ["-q", "-t", type, "-N", "", "-C", "release team", "-f", name], folder);
  return read(folder, `${name}.pub`).toString();
}

function sshSign(folder: string, key: string, file: string, parameters: readonly string[] = []): void {
  run("ssh-keygen", ["-Y", "sign", "-f", key, "-n", NAMESPACE, ...parameters, file], folder);
}

const { folder, policy } = describeFormat("sshsig", {
  stranger: "key_unknown",
  sign(folder) {
    const publicKey = sshKey(folder, "release");
    sshKey(folder, "stranger");
    writePolicy(folder);
    sshSign(folder, "release", "egress.yaml");
    return {
      config: {
        ...described,
        format: "sshsig",
        namespace: NAMESPACE,
        signature: "egress.yaml.sig",
        trust: { publicKey: "release.pub" },
      },
      signatureFile: "egress.yaml.sig",
      signatureBytes: [0, read(folder, "egress.yaml.sig").length],
      strangersTrust: { publicKey: "stranger.pub" },
      publicKey,
    };
  },
});

const verifyChanged = (changes: object) =>
  verifyPolicy({ ...policy().config, ...changes } as never, { folder });
const text = () => read(folder, "egress.yaml.sig").toString();
const verifyText = (signature: string) => {
  write(folder, "other.sig", signature);
  return verifyChanged({ signature: "other.sig" });
};
const body = () => Buffer.from(text().split("\n").slice(1, -2).join(""), "base64");
const armored = (bytes: Uint8Array) =>
  `-----BEGIN SSH SIGNATURE-----\n${Buffer.from(bytes).toString("base64")}\n-----END SSH SIGNATURE-----\n`;

describe("an SSH signature", () => {
  it("counts in its own namespace only", async () => {
    expect(await codeOf(verifyChanged({ namespace: "git" }))).toBe("metadata_mismatch");
    expect(await codeOf(verifyChanged({ namespace: `${NAMESPACE}m` }))).toBe("metadata_mismatch");
    expect(await codeOf(verifyChanged({ namespace: undefined }))).toBe("config_invalid");
  });

  it("may be over SHA-256 instead of SHA-512", async () => {
    write(folder, "short.yaml", read(folder, "egress.yaml"));
    sshSign(folder, "release", "short.yaml", ["-O", "hashalg=sha256"]);
    expect((await verifyChanged({ signature: "short.yaml.sig" })).id).toBe("egress");
  });

  it("may be from a P-256 key", async () => {
    sshKey(folder, "p256", "ecdsa");
    const trust = { publicKey: "p256.pub" };
    // Both numbers of an ECDSA signature have one length or another; many signatures show them all.
    for (let signature = 0; signature < 12; signature++) {
      const file = `p256-${signature}.yaml`;
      write(folder, file, read(folder, "egress.yaml"));
      sshSign(folder, "p256", file);
      expect((await verifyChanged({ signature: `${file}.sig`, trust })).id).toBe("egress");
    }
  });

  it("is refused from a key of a kind that is not supported", async () => {
    sshKey(folder, "rsa", "rsa");
    write(folder, "rsa.yaml", read(folder, "egress.yaml"));
    sshSign(folder, "rsa", "rsa.yaml");
    expect(await codeOf(verifyChanged({ signature: "rsa.yaml.sig" }))).toBe("algorithm_refused");
  });

  it("may have lines of another length, as other programs write them, and other line ends", async () => {
    expect((await verifyText(armored(body()))).id).toBe("egress");
    expect((await verifyText(text().replaceAll("\n", "\r\n"))).id).toBe("egress");
  });

  it("is refused with a hash function that OpenSSH does not have", async () => {
    const changed = Buffer.from(body().toString("latin1").replace("sha512", "sha384"), "latin1");
    expect(await codeOf(verifyText(armored(changed)))).toBe("algorithm_refused");
  });

  it("is refused when it is cut off, longer than it says, or of another version", async () => {
    const bytes = body();
    for (let length = 0; length < bytes.length; length += 7) {
      expect(await codeOf(verifyText(armored(bytes.subarray(0, length))))).toBe("signature_malformed");
    }
    const longer = Buffer.concat([bytes, Buffer.from([0])]);
    expect(await codeOf(verifyText(armored(longer)))).toBe("signature_malformed");
    const later = Buffer.from(bytes);
    later.writeUInt32BE(2, 6);
    expect(await codeOf(verifyText(armored(later)))).toBe("signature_malformed");
    const endless = Buffer.from(bytes);
    endless.writeUInt32BE(0xffffffff, 10);
    expect(await codeOf(verifyText(armored(endless)))).toBe("signature_malformed");
    expect(await codeOf(verifyText(""))).toBe("signature_malformed");
    expect(await codeOf(verifyText(body().toString("base64")))).toBe("signature_malformed");
  });
});
