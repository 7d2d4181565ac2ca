import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { verifyPolicy } from "../../../src/policies/index.ts";
import { codeOf, described, flip, read, write, writePolicy } from "../support/deployment.ts";
import { describeFormat } from "../support/format-suite.ts";
import { run } from "../support/tools.ts";

function minisignKey(folder: string, name: string): string {
  run("minisign", ["-G", "-W", "-f", "-p", `${name}.pub`, "-s", `${name}.key`], folder);
  return read(folder, `${name}.pub`).toString();
}

function minisign(folder: string, file: string, parameters: readonly string[]): void {
  run("minisign", ["-S", "-s", "release.key", "-m", file, ...parameters], folder);
}

const { folder, policy } = describeFormat("minisign", {
  stranger: "key_unknown",
  signsMetadata: true,
  sign(folder) {
    const publicKey = minisignKey(folder, "release");
    minisignKey(folder, "stranger");
    writePolicy(folder);
    minisign(folder, "egress.yaml", ["-t", "id:egress version:3.1.0"]);
    const signature = read(folder, "egress.yaml.minisig");
    return {
      config: {
        ...described,
        format: "minisign",
        signature: "egress.yaml.minisig",
        trust: { publicKey: "release.pub" },
      },
      signatureFile: "egress.yaml.minisig",
      // The first line is a comment that nobody signs.
      signatureBytes: [signature.indexOf("\n") + 1, signature.length],
      strangersTrust: { publicKey: "stranger.pub" },
      publicKey,
    };
  },
});

const verifyChanged = (changes: object, options: object = {}) =>
  verifyPolicy({ ...policy().config, ...changes } as never, { folder, ...options });

/** Signs the policy again with another trusted comment. */
function signAgain(comment: readonly string[]): object {
  write(folder, "again.yaml", read(folder, "egress.yaml"));
  minisign(folder, "again.yaml", comment);
  return { signature: "again.yaml.minisig" };
}

describe("a minisign signature", () => {
  it("needs no metadata in its comment, and then says so", async () => {
    const verified = await verifyChanged(signAgain([]));
    expect(verified.metadataSigned).toBe(false);
    const required = { ...signAgain([]), requireSignedMetadata: true };
    expect(await codeOf(verifyChanged(required))).toBe("metadata_missing");
  });

  it("binds everything that its comment says", async () => {
    const comment = (text: string) => signAgain(["-t", text]);
    const full = "timestamp:1 id:egress version:3.1.0 type:sandbox scope:eu expires_at:2099-01-01T00:00:00Z";
    expect((await verifyChanged({ ...comment(full), scope: "eu" })).metadataSigned).toBe(true);
    expect(await codeOf(verifyChanged(comment(full)))).toBe("metadata_mismatch");
    expect(await codeOf(verifyChanged(comment("version:3.1.1")))).toBe("metadata_mismatch");
    expect(await codeOf(verifyChanged(comment("id:egress id:egress")))).toBe("metadata_mismatch");
    const past = comment("id:egress version:3.1.0 expires_at:2020-01-01T00:00:00Z");
    expect(await codeOf(verifyChanged(past))).toBe("expired");
  });

  it("is refused when the comment is changed or the one of another signature", async () => {
    const text = read(folder, "egress.yaml.minisig").toString();
    write(folder, "other.minisig", text.replace("version:3.1.0", "version:9.0.0"));
    const changed = { signature: "other.minisig", version: "9.0.0" };
    expect(await codeOf(verifyChanged(changed))).toBe("signature_invalid");
    write(folder, "newer.yaml", "egress: {}\n");
    minisign(folder, "newer.yaml", ["-t", "id:egress version:9.0.0"]);
    const [first, second] = text.split("\n");
    const [, , third, fourth] = read(folder, "newer.yaml.minisig").toString().split("\n");
    write(folder, "other.minisig", [first, second, third, fourth, ""].join("\n"));
    expect(await codeOf(verifyChanged(changed))).toBe("signature_invalid");
  });

  it("is refused in the older form: a file that is just the hash of another would pass with that one's signature", async () => {
    const lines = read(folder, "egress.yaml.minisig").toString().split("\n");
    const blob = Buffer.from(lines[1] ?? "", "base64");
    expect(blob.subarray(0, 2).toString()).toBe("ED");
    lines[1] = Buffer.from(flip(blob, 1, 0x20)).toString("base64");
    write(folder, "hash", createHash("blake2b512").update(read(folder, "egress.yaml")).digest());
    write(folder, "hash.minisig", lines.join("\n"));
    // minisign itself takes it: this is what the refusal is for.
    run("minisign", ["-V", "-p", "release.pub", "-m", "hash"], folder);
    const confused = { file: "hash", signature: "hash.minisig" };
    expect(await codeOf(verifyChanged(confused))).toBe("algorithm_refused");
  });

  it("is refused when it is cut off, has more lines, or lines of another kind", async () => {
    const text = read(folder, "egress.yaml.minisig").toString();
    const lines = text.split("\n");
    const others = [
      lines.slice(0, 3).join("\n"),
      `${text}\n`,
      `${text}more\n`,
      text.replace("trusted comment: ", "trusted comment "),
      text.replace("untrusted comment:", "comment:"),
      [lines[0], lines[1], lines[2], "AAAA", ""].join("\n"),
      [lines[0], "AAAA", lines[2], lines[3], ""].join("\n"),
    ];
    for (const other of others) {
      write(folder, "other.minisig", other);
      expect(await codeOf(verifyChanged({ signature: "other.minisig" }))).toBe("signature_malformed");
    }
  });

  it("is not taken from a key that has no minisign number, and one line is enough for a key", async () => {
    const line = read(folder, "release.pub").toString().split("\n")[1] ?? "";
    const raw = Buffer.from(line, "base64").subarray(10).toString("base64");
    const trust = (public_key: string) => ({ trust: { keys: [{ id: "release", public_key }] } });
    expect(await codeOf(verifyChanged(trust(raw)))).toBe("key_unknown");
    expect((await verifyChanged(trust(line))).id).toBe("egress");
  });
});
