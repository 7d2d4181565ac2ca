import { describe, expect, it, vi } from "vitest";
import { verifyPolicy } from "../../src/policies/index.ts";
import {
  codeOf,
  described,
  errorOf,
  read,
  temporaryFolder,
  write,
  writePolicy,
} from "./support/deployment.ts";
import { ed25519Key, sign } from "./support/openssl.ts";

const { missing } = vi.hoisted(() => ({
  missing: () => {
    throw Object.assign(new Error("Cannot find package at /secret/path"), { code: "ERR_MODULE_NOT_FOUND" });
  },
}));
vi.mock("yaml", missing);
vi.mock("@sigstore/verify", missing);

const folder = temporaryFolder();
writePolicy(folder);
const key = ed25519Key(folder);
const trust = { keys: [{ id: "release", public_key: key.publicPem }] };

describe("without the optional packages", () => {
  it("the formats that need them say which one to install", async () => {
    write(folder, "sigil.yaml", "id: egress\n---\nschema: YamlSigilSignature.v1alpha1\n");
    const sigil = verifyPolicy({ ...described, file: "sigil.yaml", format: "yaml-sigil", trust }, { folder });
    const error = await errorOf(sigil);
    expect(error).toMatchObject({
      code: "dependency_missing",
      message: expect.stringContaining("Install yaml"),
    });
    expect(String(error)).not.toContain("/secret/path");
    const keyless = { trustedRoot: "r", identity: "i", issuer: "j" };
    const config = { ...described, format: "sigstore", signature: "s", trust: keyless } as const;
    expect(await codeOf(verifyPolicy(config, { folder }))).toBe("dependency_missing");
  });

  it("the others work: nothing is loaded before it is needed", async () => {
    write(folder, "s", sign(folder, key, read(folder, "egress.yaml")));
    const config = { ...described, format: "ed25519", signature: "s", trust } as const;
    expect((await verifyPolicy(config, { folder })).id).toBe("egress");
  });
});
