import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { FileLastSeenStore, type LastSeen } from "../../../src/policies/index.ts";
import { codeOf, temporaryFolder } from "../support/deployment.ts";

const folder = temporaryFolder();
const path = join(folder, "last-seen.json");
const SHA256 = "a".repeat(64);
const seen = (version: string): LastSeen => ({ version, sha256: SHA256 });
const content = () => JSON.parse(readFileSync(path, "utf8"));

beforeEach(() => {
  for (const file of readdirSync(folder)) rmSync(join(folder, file), { recursive: true });
});

/** The id of a process that is no longer there. */
async function deadProcess(): Promise<number> {
  const child = execFile(process.execPath, ["-e", ""]);
  await new Promise((resolve) => child.once("exit", resolve));
  return child.pid ?? 0;
}

/** What the lock file of another process on this machine looks like. */
async function foreignLock(processId: number): Promise<string> {
  let lock = "";
  await new FileLastSeenStore(path).update("probe", () => {
    lock = readFileSync(`${path}.lock`, "utf8");
    return seen("1");
  });
  rmSync(path);
  return lock.replace(/^\S+ \d+/, `${"0".repeat(32)} ${processId}`);
}

describe("the last-seen store in a file", () => {
  it("remembers for each policy what it was given last", async () => {
    await new FileLastSeenStore(path).update("egress", (last) => {
      expect(last).toBeUndefined();
      return seen("1");
    });
    await new FileLastSeenStore(path).update("other", () => seen("7"));
    await new FileLastSeenStore(path).update("egress", (last) => {
      expect(last).toEqual(seen("1"));
      return seen("2");
    });
    expect(content()).toEqual({ policies: { egress: seen("2"), other: seen("7") } });
  });

  it("leaves nothing beside the file, and only its owner may read it", async () => {
    await new FileLastSeenStore(path).update("egress", () => seen("1"));
    expect(readdirSync(folder)).toEqual(["last-seen.json"]);
  });

  it("stores nothing when the update is refused, and lets the next one in", async () => {
    const store = new FileLastSeenStore(path);
    await store.update("egress", () => seen("1"));
    const refusal = store.update("egress", () => {
      throw new Error("refused");
    });
    await expect(refusal).rejects.toThrow("refused");
    await store.update("egress", () => seen("2"));
    expect(content().policies.egress.version).toBe("2");
  });

  it("takes any id for what it is", async () => {
    const store = new FileLastSeenStore(path);
    for (const id of ["__proto__", "constructor", 'a b/c"d']) await store.update(id, () => seen("1"));
    const found: (LastSeen | undefined)[] = [];
    for (const id of ["__proto__", "constructor", "toString"]) {
      await store.update(id, (last) => {
        found.push(last);
        return seen("2");
      });
    }
    expect(found).toEqual([seen("1"), seen("1"), undefined]);
  });

  it.each([
    ["is empty", ""],
    ["is cut off", '{"policies":{"egress":{"vers'],
    ["is something else", "[]"],
    ["has no policies", "{}"],
    ["has policies that are no object", '{"policies":[]}'],
    ["has an entry without a hash", '{"policies":{"other":{"version":"1"}}}'],
    ["has an entry with a damaged hash", `{"policies":{"other":{"version":"1","sha256":"${SHA256}a"}}}`],
    [
      "has an entry with a version that has no order",
      `{"policies":{"other":{"version":"x","sha256":"${SHA256}"}}}`,
    ],
    ["has an entry that is null", '{"policies":{"other":null}}'],
  ])("is refused, and not started anew, when it %s", async (_, damaged) => {
    writeFileSync(path, damaged);
    const update = new FileLastSeenStore(path).update("egress", () => seen("1"));
    expect(await codeOf(update)).toBe("store_unusable");
    expect(readFileSync(path, "utf8")).toBe(damaged);
  });

  it("is refused when it cannot be read or written", async () => {
    mkdirSync(path);
    expect(await codeOf(new FileLastSeenStore(path).update("egress", () => seen("1")))).toBe(
      "store_unusable",
    );
    const nowhere = new FileLastSeenStore(join(folder, "missing", "x.json"));
    expect(await codeOf(nowhere.update("egress", () => seen("1")))).toBe("store_unusable");
  });

  it("is refused when it must exist and does not", async () => {
    const store = new FileLastSeenStore(path, { mustExist: true });
    expect(await codeOf(store.update("egress", () => seen("1")))).toBe("store_unusable");
    await new FileLastSeenStore(path).update("egress", () => seen("1"));
    await store.update("egress", () => seen("2"));
    expect(content().policies.egress.version).toBe("2");
  });

  it("keeps the old content when a crash came before the new one was in place", async () => {
    await new FileLastSeenStore(path).update("egress", () => seen("1"));
    writeFileSync(`${path}.new`, '{"policies":{"egress":{"vers');
    await new FileLastSeenStore(path).update("egress", (last) => {
      expect(last).toEqual(seen("1"));
      return seen("2");
    });
    expect(content().policies.egress.version).toBe("2");
    expect(existsSync(`${path}.new`)).toBe(false);
  });

  it("does not write through a symbolic link that somebody laid in the new file's place", async () => {
    const victim = join(folder, "victim");
    writeFileSync(victim, "untouched");
    symlinkSync(victim, `${path}.new`);
    await new FileLastSeenStore(path).update("egress", () => seen("1"));
    expect(readFileSync(victim, "utf8")).toBe("untouched");
  });
});

describe("the lock of the store", () => {
  it("keeps a second process out for as long as the first is there", async () => {
    writeFileSync(`${path}.lock`, await foreignLock(process.ppid));
    const store = new FileLastSeenStore(path, { patience: 100 });
    expect(await codeOf(store.update("egress", () => seen("1")))).toBe("store_busy");
    rmSync(`${path}.lock`);
    await store.update("egress", () => seen("1"));
  });

  it("is removed when the process that made it is dead", async () => {
    writeFileSync(`${path}.lock`, await foreignLock(await deadProcess()));
    await new FileLastSeenStore(path).update("egress", () => seen("1"));
    expect(readdirSync(folder)).toEqual(["last-seen.json"]);
  });

  it("is removed when a process died while it was removing a dead one's", async () => {
    const lock = await foreignLock(await deadProcess());
    writeFileSync(`${path}.lock`, lock);
    writeFileSync(`${path}.lock.${"0".repeat(32)}`, lock.replace(/^0/, "1"));
    await new FileLastSeenStore(path).update("egress", () => seen("1"));
    expect(readdirSync(folder)).toEqual(["last-seen.json"]);
  });

  it("of another machine, or one without an owner, is left alone while it is young and removed when it is old", async () => {
    for (const lock of [`${"0".repeat(32)} ${await deadProcess()} elsewhere`, "", "garbage"]) {
      writeFileSync(`${path}.lock`, lock);
      const store = new FileLastSeenStore(path, { patience: 100 });
      expect(await codeOf(store.update("egress", () => seen("1")))).toBe("store_busy");
      const before = new Date(Date.now() - 60_000);
      utimesSync(`${path}.lock`, before, before);
      await store.update("egress", () => seen("1"));
      expect(existsSync(`${path}.lock`)).toBe(false);
    }
  });

  it("is not written under once it was lost", async () => {
    const update = new FileLastSeenStore(path).update("egress", () => {
      writeFileSync(`${path}.lock`, `${"0".repeat(32)} 1 elsewhere`);
      return seen("1");
    });
    expect(await codeOf(update)).toBe("store_busy");
    expect(existsSync(path)).toBe(false);
    expect(existsSync(`${path}.lock`)).toBe(true);
  });

  it("loses no update of many processes, though some of them die with the lock in their hands", async () => {
    const worker = fileURLToPath(new URL("../support/last-seen-worker.ts", import.meta.url));
    const start = (...parameters: string[]) =>
      promisify(execFile)(process.execPath, ["--import", "tsx", worker, path, ...parameters]);
    const rounds = 25;
    const dying = start("die").catch(() => undefined);
    const workers = Array.from({ length: 4 }, () => start("count", String(rounds)));
    await Promise.all([dying, ...workers]);
    await start("die").catch(() => undefined);
    expect(existsSync(`${path}.lock`)).toBe(true);
    await start("count", "1");
    expect(content().policies.counter.version).toBe(String(4 * rounds + 1));
    expect(existsSync(`${path}.lock`)).toBe(false);
  }, 120_000);
});
