import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  describePolicies,
  FileLastSeenStore,
  hashPolicyFile,
  isVerifiedPolicy,
  loadPolicies,
} from "../../src/policies/index.ts";
import { codeOf, described, POLICY, temporaryFolder, write, writePolicy } from "./support/deployment.ts";
import { ed25519Key, p256Key, sha256, sign } from "./support/openssl.ts";

const folder = temporaryFolder();
const manifestFile = join(folder, "policies.json");
const sandbox = {
  ...described,
  format: "ed25519",
  signature: "egress.yaml.sig",
  trust: { keyring: "keyring.json" },
};
const content = {
  ...sandbox,
  id: "content",
  type: "content_safety",
  required: false,
  source: "external",
  format: "cosign",
  signature: "content.sig",
  trust: { publicKey: "cosign.pub" },
};

beforeAll(() => {
  const [key, cosign] = [ed25519Key(folder), p256Key(folder)];
  write(folder, "keyring.json", JSON.stringify({ keys: [{ id: "release", public_key: key.publicPem }] }));
  write(folder, "cosign.pub", cosign.publicPem);
  write(folder, "egress.yaml.sig", sign(folder, key, POLICY));
  write(folder, "content.sig", sign(folder, cosign, POLICY).toString("base64"));
});
beforeEach(() => {
  writePolicy(folder);
});

const load = (policies: unknown, options: object = {}) => {
  write(folder, "policies.json", JSON.stringify({ policies }));
  return loadPolicies(manifestFile, options);
};

describe("loading a manifest", () => {
  it("asks for a path where it is given something else, such as the manifest itself", async () => {
    for (const wrong of [undefined, { policies: [] }, 5]) {
      await expect(loadPolicies(wrong as unknown as string)).rejects.toMatchObject({
        code: "config_invalid",
        message: expect.stringMatching(/Expected the path of the manifest as the first parameter\.$/),
      });
    }
  });

  it("verifies every policy, in the manifest's order", async () => {
    const { verified, failed } = await load([content, sandbox]);
    expect(failed).toEqual([]);
    expect(verified.every(isVerifiedPolicy)).toBe(true);
    expect(verified.map(({ id, type, required }) => [id, type, required])).toEqual([
      ["content", "content_safety", false],
      ["egress", "sandbox", true],
    ]);
    expect(verified[0]?.sha256).toBe(sha256(folder, "egress.yaml"));
  });

  it("goes on after a policy that fails, and says which and why", async () => {
    const { verified, failed } = await load([{ ...content, signature: "egress.yaml.sig" }, sandbox]);
    expect(verified.map(({ id }) => id)).toEqual(["egress"]);
    expect(failed).toEqual([
      {
        position: 0,
        id: "content",
        required: false,
        code: "signature_malformed",
        reason: expect.any(String),
      },
    ]);
  });

  it("takes a failed policy for required unless it says clearly that it is not", async () => {
    const entries = [{ required: false }, { required: "false" }, { required: null }, {}, null, "x", [false]];
    const { failed } = await load(entries);
    expect(failed.map(({ required }) => required)).toEqual([false, true, true, true, true, true, true]);
    expect(failed.map(({ id }) => id)).toEqual(entries.map((_, position) => `policies[${position}]`));
    expect(new Set(failed.map(({ code }) => code))).toEqual(new Set(["config_invalid"]));
  });

  it("refuses two policies with one id, both of them", async () => {
    const { verified, failed } = await load([sandbox, content, { ...content, id: "egress" }]);
    expect(verified.map(({ id }) => id)).toEqual(["content"]);
    expect(failed.map(({ position, code }) => [position, code])).toEqual([
      [0, "config_invalid"],
      [2, "config_invalid"],
    ]);
  });

  it("may list nothing", async () => {
    expect(await load([])).toEqual({ verified: [], failed: [] });
  });

  it.each([
    ["is missing", undefined, "unreadable"],
    ["is empty", "", "config_invalid"],
    ["is no JSON", "policies: []", "config_invalid"],
    ["is a list", "[]", "config_invalid"],
    ["has no list", "{}", "config_invalid"],
    ["has something else as the list", '{"policies":{}}', "config_invalid"],
    ["has a field beside the list", '{"policies":[],"trust":{}}', "config_invalid"],
    ["has a byte order mark", '\uFEFF{"policies":[]}', "config_invalid"],
    ["lists more than 256", JSON.stringify({ policies: Array(257).fill({}) }), "config_invalid"],
    ["is larger than 1 MiB", `{"policies":[${" ".repeat(1024 * 1024)}]}`, "too_large"],
  ] as const)("is refused as a whole when the manifest %s", async (_, text, code) => {
    if (text !== undefined) write(folder, "broken.json", text);
    const file = join(folder, text === undefined ? "missing.json" : "broken.json");
    expect(await codeOf(loadPolicies(file))).toBe(code);
  });

  it("is refused when the manifest is a link to another folder, whose files it would not be beside", async () => {
    const elsewhere = temporaryFolder();
    write(folder, "policies.json", JSON.stringify({ policies: [sandbox] }));
    symlinkSync(manifestFile, join(elsewhere, "policies.json"));
    expect(await codeOf(loadPolicies(join(elsewhere, "policies.json")))).toBe("outside_folder");
  });

  it("keeps policies in the manifest's folder, or in the one that is named", async () => {
    const outer = temporaryFolder();
    const { mkdirSync } = await import("node:fs");
    mkdirSync(join(outer, "config"));
    for (const file of ["egress.yaml", "egress.yaml.sig", "keyring.json"]) {
      const { copyFileSync } = await import("node:fs");
      copyFileSync(join(folder, file), join(outer, file));
    }
    const moved = {
      ...sandbox,
      file: "../egress.yaml",
      signature: "../egress.yaml.sig",
      trust: { keyring: "../keyring.json" },
    };
    write(outer, "config/policies.json", JSON.stringify({ policies: [moved] }));
    const file = join(outer, "config/policies.json");
    expect((await loadPolicies(file)).failed[0]?.code).toBe("outside_folder");
    expect((await loadPolicies(file, { outermostFolder: outer })).verified).toHaveLength(1);
    expect((await loadPolicies(file, { outermostFolder: folder }).catch((error) => error)).code).toBe(
      "outside_folder",
    );
  });

  it("asks the enforcers that it is given, by the policy's id", async () => {
    const confirmLoaded = {
      egress: async () => sha256(folder, "egress.yaml"),
      content: async () => "0".repeat(64),
    };
    const { verified, failed } = await load([sandbox, content], { confirmLoaded });
    expect(verified.map(({ id, loadConfirmed }) => [id, loadConfirmed])).toEqual([["egress", true]]);
    expect(failed.map(({ id, code }) => [id, code])).toEqual([["content", "not_loaded"]]);
  });

  it("refuses a question that would never be asked", async () => {
    const confirmLoaded = { egres: async () => "" };
    expect(await codeOf(load([sandbox], { confirmLoaded }))).toBe("config_invalid");
    expect(await codeOf(load([sandbox], { confirmLoaded: { egress: "0" } }))).toBe("config_invalid");
  });

  it("cannot be told by the manifest that something was confirmed", async () => {
    for (const confirmLoaded of [true, "0", {}]) {
      const { failed } = await load([{ ...sandbox, confirmLoaded }]);
      expect(failed.map(({ code }) => code)).toEqual(["config_invalid"]);
    }
  });

  it("remembers versions in the store that it is given", async () => {
    const lastSeen = new FileLastSeenStore(join(folder, "last-seen.json"));
    expect((await load([sandbox, content], { lastSeen })).failed).toEqual([]);
    const { failed } = await load([{ ...sandbox, version: "3.0.9" }, content], { lastSeen });
    expect(failed.map(({ id, code }) => [id, code])).toEqual([["egress", "rolled_back"]]);
  });

  it("is not led astray by names that objects have anyway", async () => {
    const text = `{"policies":[{"__proto__":{"required":false},"id":"constructor"}]}`;
    write(folder, "policies.json", text);
    const { failed } = await loadPolicies(manifestFile);
    expect(failed).toMatchObject([{ id: "constructor", required: true, code: "config_invalid" }]);
    expect(({} as Record<string, unknown>).required).toBeUndefined();
  });
});

describe("loaded policies as text", () => {
  it("have a line each, the hash, and a sum", async () => {
    const loaded = await load([sandbox, { ...content, signature: "egress.yaml.sig" }]);
    expect(describePolicies(loaded)).toBe(
      [
        "verified  egress  3.1.0  sandbox  required",
        `          sha256 ${sha256(folder, "egress.yaml")}`,
        "          id and version are not signed, loading was not confirmed",
        "failed    content  optional  signature_malformed",
        "          The signature cannot be read in the configured format.",
        "1 verified, 1 failed",
        "",
      ].join("\n"),
    );
  });

  it("count the required ones among the failed, and do not call an empty list good", async () => {
    expect(describePolicies(await load([{ ...sandbox, file: "missing" }]))).toContain(
      "0 verified, 1 failed (1 required)",
    );
    expect(describePolicies(await load([]))).toBe("The manifest lists no policy.\n");
  });
});

describe("the hash of a file", () => {
  it("is the one that its binding would have", async () => {
    expect(await hashPolicyFile(join(folder, "egress.yaml"))).toBe(sha256(folder, "egress.yaml"));
  });

  it("is refused for what could not be a policy file", async () => {
    expect(await codeOf(hashPolicyFile(join(folder, "missing")))).toBe("unreadable");
    expect(await codeOf(hashPolicyFile(folder))).toBe("unreadable");
    expect(await codeOf(hashPolicyFile(join(folder, "egress.yaml"), 3))).toBe("too_large");
  });
});
