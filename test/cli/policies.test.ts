import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { folderWith } from "./support/folder.ts";
import { runMain } from "./support/run-main.ts";

const POLICY = "allow: [search]\n";
const sha256 = createHash("sha256").update(POLICY).digest("hex");

/** A manifest with two policies; the signature of the second one is over something else. */
function deployment(which: readonly ("good" | "bad")[]) {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "jwk" }).x as string;
  const policies = which.map((id) => ({
    id,
    type: "sandbox",
    version: "3",
    required: true,
    source: "entrypoint",
    file: `${id}.yaml`,
    format: "ed25519",
    signature: `${id}.sig`,
    trust: { keyring: "keyring.json" },
  }));
  return folderWith({
    "policies.json": JSON.stringify({ policies }),
    "keyring.json": JSON.stringify({
      keys: [{ id: "ops", public_key: Buffer.from(raw, "base64url").toString("base64") }],
    }),
    "good.yaml": POLICY,
    "good.sig": sign(undefined, Buffer.from(POLICY), privateKey),
    "bad.yaml": POLICY,
    "bad.sig": sign(undefined, Buffer.from("allow: [everything]\n"), privateKey),
  });
}

describe("policies verify", () => {
  it("prints every policy with its hash, and succeeds when all were verified", async () => {
    const { code, stdout, stderr } = await runMain(["policies", "verify", "policies.json"], {
      cwd: deployment(["good"]),
    });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("verified  good  3  sandbox  required");
    expect(stdout).toContain(`sha256 ${sha256}`);
  });

  it("fails when one was not, and says why", async () => {
    const { code, stdout } = await runMain(["policies", "verify", "policies.json"], {
      cwd: deployment(["good", "bad"]),
    });
    expect(code).toBe(1);
    expect(stdout).toContain("failed    bad  required  signature_invalid");
  });

  it("prints the bindings and the failures as JSON", async () => {
    const { code, stdout } = await runMain(["policies", "verify", "policies.json", "--json"], {
      cwd: deployment(["good", "bad"]),
    });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      verified: [
        {
          id: "good",
          type: "sandbox",
          version: "3",
          sha256,
          required: true,
          source: "entrypoint",
          metadataSigned: false,
          loadConfirmed: false,
        },
      ],
      failed: [expect.objectContaining({ id: "bad", code: "signature_invalid", required: true })],
    });
  });

  it("says that nothing was verified where there is no policy", async () => {
    expect((await runMain(["policies", "verify", "policies.json"], { cwd: deployment([]) })).code).toBe(2);
  });

  it("says why a manifest cannot be used", async () => {
    const cwd = folderWith({ "broken.json": "{" });
    for (const [file, code] of [
      ["missing.json", "unreadable"],
      ["broken.json", "config_invalid"],
    ] as const) {
      const outcome = await runMain(["policies", "verify", file], { cwd });
      expect([outcome.code, outcome.stdout]).toEqual([2, ""]);
      expect(outcome.stderr).toMatch(
        new RegExp(`^otel-labels: ${file} cannot be used \\(${code}\\): .+\\n$`),
      );
    }
  });
});

describe("policies hash", () => {
  it("prints one line for each file, as sha256sum does", async () => {
    const cwd = folderWith({ "a.yaml": POLICY, "b.yaml": POLICY });
    expect(await runMain(["policies", "hash", "a.yaml", "b.yaml"], { cwd })).toEqual({
      code: 0,
      stdout: `${sha256}  a.yaml\n${sha256}  b.yaml\n`,
      stderr: "",
    });
    const { stdout } = await runMain(["policies", "hash", "a.yaml", "--json"], { cwd });
    expect(JSON.parse(stdout)).toEqual({ hashes: [{ file: "a.yaml", sha256 }] });
  });

  it("prints nothing when one of the files cannot be read", async () => {
    const { code, stdout, stderr } = await runMain(["policies", "hash", "a.yaml", "b.yaml"], {
      cwd: folderWith({ "a.yaml": POLICY }),
    });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^otel-labels: b\.yaml cannot be hashed \(unreadable\): .+\n$/);
  });
});
