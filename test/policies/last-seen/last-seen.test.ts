import { beforeEach, describe, expect, it } from "vitest";
import { type LastSeen, type LastSeenStore, verifyPolicy } from "../../../src/policies/index.ts";
import { codeOf, described, errorOf, temporaryFolder, write } from "../support/deployment.ts";
import { ed25519Key, sha256, sign } from "../support/openssl.ts";

const folder = temporaryFolder();
const key = ed25519Key(folder);

class MemoryStore implements LastSeenStore {
  readonly seen = new Map<string, LastSeen>();
  async update(policyId: string, next: (last: LastSeen | undefined) => LastSeen): Promise<void> {
    this.seen.set(policyId, next(this.seen.get(policyId)));
  }
}

let lastSeen: MemoryStore;
beforeEach(() => {
  lastSeen = new MemoryStore();
});

function verify(version: string, content: string, changes: object = {}) {
  write(folder, "egress.yaml", content);
  write(folder, "s", sign(folder, key, content));
  const trust = { keys: [{ id: "release", public_key: key.publicPem }] };
  const config = { ...described, version, format: "ed25519", signature: "s", trust, ...changes } as const;
  return verifyPolicy(config, { folder, lastSeen });
}

describe("with a last-seen store", () => {
  it("a policy may go forward and stay, and is remembered", async () => {
    await verify("3.1.0", "one");
    await verify("3.1.0", "one");
    await verify("3.2.0", "two");
    expect(lastSeen.seen.get("egress")).toEqual({ version: "3.2.0", sha256: sha256(folder, "egress.yaml") });
  });

  it("a policy may not go back, however well it is signed", async () => {
    await verify("3.10.0", "new");
    expect(await codeOf(verify("3.9.0", "old"))).toBe("rolled_back");
    expect(lastSeen.seen.get("egress")?.version).toBe("3.10.0");
  });

  it("an old file cannot come back under the new version's name", async () => {
    await verify("3.1.0", "new");
    expect(await codeOf(verify("3.1.0", "old"))).toBe("version_reused");
    expect(await codeOf(verify("3.1", "old"))).toBe("version_reused");
  });

  it("each policy has its own line", async () => {
    await verify("9", "a", { id: "other" });
    expect((await verify("3.1.0", "b")).version).toBe("3.1.0");
  });

  it("a version without an order is refused, since nobody could tell that it went back", async () => {
    expect(await codeOf(verify("main", "x"))).toBe("version_unordered");
    expect(lastSeen.seen.size).toBe(0);
  });

  it("a policy that does not verify is not remembered", async () => {
    expect(await codeOf(verify("9", "x", { requireSignedMetadata: true }))).toBe("metadata_missing");
    const notLoaded = { confirmLoaded: async () => "0".repeat(64) };
    expect(await codeOf(verify("9", "x", notLoaded))).toBe("not_loaded");
    expect(lastSeen.seen.size).toBe(0);
  });

  it("a store that fails, or holds what it should not, lets nothing through", async () => {
    lastSeen.update = async () => {
      throw new Error("connect ECONNREFUSED db.internal.example.com");
    };
    const error = await errorOf(verify("3.1.0", "x"));
    expect(error).toMatchObject({ code: "store_unusable" });
    expect(String(error)).not.toContain("internal");
    lastSeen = new MemoryStore();
    lastSeen.seen.set("egress", { version: "main", sha256: "x" });
    expect(await codeOf(verify("3.1.0", "x"))).toBe("store_unusable");
  });
});
