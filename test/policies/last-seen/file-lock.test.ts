import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { acquireLock } from "../../../src/policies/last-seen/file-lock.ts";
import { temporaryFolder } from "../support/deployment.ts";

const hook = vi.hoisted(() => ({ beforeCreating: undefined as ((path: string) => void) | undefined }));
vi.mock("node:fs", async (importOriginal) => {
  const real = await importOriginal<typeof import("node:fs")>();
  const writeFileSync = (...parameters: Parameters<typeof real.writeFileSync>) => {
    hook.beforeCreating?.(String(parameters[0]));
    return real.writeFileSync(...parameters);
  };
  return { ...real, writeFileSync };
});

const path = join(temporaryFolder(), "lock");

describe("a lock whose owner is dead", () => {
  it("is not removed twice: the second finder sees that a living one is there by now", async () => {
    const { utimesSync, writeFileSync } = await import("node:fs");
    writeFileSync(path, `${"0".repeat(32)} 1 elsewhere`);
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(path, longAgo, longAgo);
    const living = `${"1".repeat(32)} 1 elsewhere`;
    hook.beforeCreating = (created) => {
      if (created !== `${path}.${"0".repeat(32)}`) return;
      hook.beforeCreating = undefined;
      // Another process was faster: it removed the dead lock and took its own.
      writeFileSync(path, living);
    };
    expect(await acquireLock(path, 100)).toBeUndefined();
    expect(hook.beforeCreating).toBeUndefined();
    expect(readFileSync(path, "utf8")).toBe(living);
    expect(existsSync(`${path}.${"0".repeat(32)}`)).toBe(false);
  });
});

describe("a held lock", () => {
  it("is released once, and never another one's in its place", async () => {
    const { rmSync, writeFileSync } = await import("node:fs");
    rmSync(path, { force: true });
    const lock = await acquireLock(path, 0);
    expect(lock?.isHeld()).toBe(true);
    writeFileSync(path, "somebody else's");
    expect(lock?.isHeld()).toBe(false);
    lock?.release();
    expect(readFileSync(path, "utf8")).toBe("somebody else's");
  });
});
