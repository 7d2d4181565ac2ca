import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { PolicyFolder } from "../../../src/policies/files/policy-folder.ts";
import { codeOf, temporaryFolder, write } from "../support/deployment.ts";
import { run } from "../support/tools.ts";
import { whileReading } from "../support/while-reading.ts";

const hook = vi.hoisted(() => ({ beforeOpen: undefined as (() => void) | undefined }));
vi.mock("node:fs/promises", async (importOriginal) => {
  const real = await importOriginal<typeof import("node:fs/promises")>();
  const open: typeof real.open = (...parameters) => {
    hook.beforeOpen?.();
    hook.beforeOpen = undefined;
    return real.open(...parameters);
  };
  return { ...real, open };
});

let folder: string;
let outside: string;
let files: PolicyFolder;

beforeEach(async () => {
  folder = join(temporaryFolderOnce(), "inside");
  outside = join(temporaryFolderOnce(), "outside");
  for (const path of [folder, outside]) {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path);
  }
  write(folder, "policy", "policy");
  write(outside, "secret", "secret");
  files = await PolicyFolder.at(folder);
});

const once = temporaryFolder();
const temporaryFolderOnce = () => once;
const text = async (path: string) => Buffer.from(await files.read(path, "the file")).toString();
const refusal = (path: string, maxBytes?: number) => codeOf(files.read(path, "the file", maxBytes));

describe("reading a file of the folder", () => {
  it("takes a path from the folder, or an absolute one into it", async () => {
    mkdirSync(join(folder, "sub"));
    write(folder, "sub/policy", "below");
    expect(await text("policy")).toBe("policy");
    expect(await text("sub/policy")).toBe("below");
    expect(await text("sub/../policy")).toBe("policy");
    expect(await text(join(folder, "policy"))).toBe("policy");
    write(folder, "..policy", "dots");
    expect(await text("..policy")).toBe("dots");
  });

  it("refuses paths out of it, whether or not something is there", async () => {
    for (const path of [
      "../outside/secret",
      join(outside, "secret"),
      "..",
      "/etc/hostname",
      "../inside2",
      "/nowhere",
    ]) {
      expect(await refusal(path)).toBe("outside_folder");
    }
  });

  it("follows symbolic links that stay inside, as in a mounted Kubernetes volume", async () => {
    mkdirSync(join(folder, "..2026_01_01"));
    write(folder, "..2026_01_01/mounted", "mounted");
    symlinkSync("..2026_01_01", join(folder, "..data"));
    symlinkSync("..data/mounted", join(folder, "mounted"));
    expect(await text("mounted")).toBe("mounted");
  });

  it("refuses symbolic links that lead out, at the end, on the way, and through others", async () => {
    symlinkSync(join(outside, "secret"), join(folder, "link"));
    symlinkSync("link", join(folder, "second"));
    symlinkSync(outside, join(folder, "way"));
    symlinkSync("nowhere", join(folder, "broken"));
    symlinkSync("circle", join(folder, "circle"));
    for (const path of ["link", "second", "way/secret"]) expect(await refusal(path)).toBe("outside_folder");
    for (const path of ["broken", "circle"]) expect(await refusal(path)).toBe("unreadable");
  });

  it("refuses what is not a file, and does not wait for a pipe", async () => {
    mkdirSync(join(folder, "sub"));
    run("mkfifo", ["pipe"], folder);
    for (const path of ["sub", ".", "pipe", "missing", "policy/below", "a\0b"]) {
      expect(await refusal(path)).toBe("unreadable");
    }
    symlinkSync("/dev/zero", join(folder, "zero"));
    expect(await refusal("zero")).toBe("outside_folder");
  });

  it("refuses a file above the limit before it reads, and takes one at the limit", async () => {
    write(folder, "large", Buffer.alloc(200_000));
    expect(await refusal("large", 199_999)).toBe("too_large");
    expect(await files.read("large", "the file", 200_000)).toHaveLength(200_000);
    run("truncate", ["-s", "100G", "sparse"], folder);
    const wasRead = vi.fn();
    expect(await codeOf(whileReading(wasRead, () => files.read("sparse", "the file")))).toBe("too_large");
    expect(wasRead).not.toHaveBeenCalled();
  });

  it("refuses a file that grows above the limit while it is read", async () => {
    const grow = () => appendFileSync(join(folder, "policy"), Buffer.alloc(300_000));
    const reading = whileReading(grow, () => files.read("policy", "the file", 200_000));
    expect(await codeOf(reading)).toBe("too_large");
  });

  it("takes all of a file that grows within the limit", async () => {
    const grow = () => appendFileSync(join(folder, "policy"), Buffer.alloc(300_000));
    expect(await whileReading(grow, () => files.read("policy", "the file"))).toHaveLength(300_006);
  });

  it("refuses a link that was laid in the file's place after the place was checked", async () => {
    hook.beforeOpen = () => {
      rmSync(join(folder, "policy"));
      symlinkSync(join(outside, "secret"), join(folder, "policy"));
    };
    expect(await refusal("policy")).toBe("unreadable");
    expect(hook.beforeOpen).toBeUndefined();
  });

  it("reads the file that was opened when another takes its place", async () => {
    const swap = () => {
      writeFileSync(join(folder, "evil"), "evil!!");
      renameSync(join(folder, "evil"), join(folder, "policy"));
    };
    const bytes = await whileReading(swap, () => files.read("policy", "the file"));
    expect(Buffer.from(bytes).toString()).toBe("policy");
  });

  it("gives bytes that share their memory with nothing else", async () => {
    const bytes = await files.read("policy", "the file");
    expect(bytes.buffer.byteLength).toBe(bytes.length);
  });
});

describe("a folder inside a wider one", () => {
  it("lets paths begin in the one and end in the other", async () => {
    write(once, "shared", "shared");
    const wider = await PolicyFolder.at(folder, once);
    expect(Buffer.from(await wider.read("../shared", "the file")).toString()).toBe("shared");
    expect(Buffer.from(await wider.read("policy", "the file")).toString()).toBe("policy");
    expect(await codeOf(wider.read("../../x", "the file"))).toBe("outside_folder");
  });

  it("can be narrowed to the neighbours of a file", async () => {
    mkdirSync(join(folder, "sub"));
    write(folder, "sub/policy", "below");
    const around = await files.around("sub/policy", "the file");
    expect(Buffer.from(await around.read("policy", "the file")).toString()).toBe("below");
    expect(await codeOf(around.read("../policy", "the file"))).toBe("outside_folder");
    expect(await codeOf(files.around("../outside/secret", "the file"))).toBe("outside_folder");
    symlinkSync(outside, join(folder, "way"));
    expect(await codeOf(files.around("way/secret", "the file"))).toBe("outside_folder");
  });
});

describe("a folder that is swapped for a link between two steps", () => {
  it("is noticed: the file is no longer at the place that was checked", async () => {
    mkdirSync(join(folder, "sub"));
    write(folder, "sub/secret", "inside");
    const { open } = await import("node:fs/promises");
    const handle = await open(process.execPath);
    const prototype = Object.getPrototypeOf(handle) as { stat: (...p: unknown[]) => Promise<unknown> };
    await handle.close();
    const original = prototype.stat;
    // The file is open and about to be looked at; now the way to it leads elsewhere.
    prototype.stat = function (...parameters) {
      prototype.stat = original;
      renameSync(join(folder, "sub"), join(folder, "away"));
      symlinkSync(outside, join(folder, "sub"));
      return Reflect.apply(original, this, parameters);
    };
    try {
      expect(await refusal("sub/secret")).toBe("unreadable");
    } finally {
      prototype.stat = original;
    }
  });
});
