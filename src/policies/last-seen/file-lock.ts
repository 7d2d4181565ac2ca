/**
 * A lock between processes, made of a file that only one of them can create.
 *
 * A process that dies leaves its lock behind. Removing a dead one's lock is the delicate part: two processes may
 * find it dead at the same time, and the slower one would remove the new lock of the faster one. So whoever wants to
 * remove a lock first takes a lock on that removal, named after the dead lock's own token, and looks again. A system
 * lock (`flock`) would need none of this, but Node has none.
 *
 * @module
 */
import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** A lock that is held. */
export interface HeldLock {
  /** Whether the lock is still this one's: a process that was stopped for long may have lost it. */
  isHeld(): boolean;
  release(): void;
}

// Where a process id means something: this host and, on Linux, this process's own space of ids. Two containers can
// have one host name, and then each has a process 1.
const PLACE = encodeURIComponent(`${hostname()} ${processSpace()}`);

/** A lock older than this is dead whoever made it: what is done under it takes milliseconds. */
const MAX_AGE = 30_000;
const PAUSE = 20;
// Token, process, place.
const CONTENT = /^([0-9a-f]{32}) (\d+) (\S+)$/;

/** The lock; `undefined` when others held it until `patience` milliseconds had passed. */
export async function acquireLock(path: string, patience: number): Promise<HeldLock | undefined> {
  const deadline = Date.now() + patience;
  for (;;) {
    const lock = tryLock(path);
    if (lock !== undefined) return lock;
    if (Date.now() >= deadline) return undefined;
    await sleep(PAUSE * (0.5 + Math.random()));
  }
}

function tryLock(path: string): HeldLock | undefined {
  const token = randomBytes(16).toString("hex");
  if (create(path, `${token} ${process.pid} ${PLACE}`)) return heldLock(path, token);
  const dead = readDeadToken(path);
  if (dead === undefined) return undefined;
  const removal = tryLock(`${path}.${dead}`);
  if (removal === undefined) return undefined;
  // Only who holds `removal` may remove this very lock, and its owner does nothing any more, so nothing can come in
  // between. An owner that wakes up after all, past the age, finds that the lock is no longer its own.
  if (readDeadToken(path) === dead) rmSync(path, { force: true });
  removal.release();
  return undefined;
}

function create(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === "EEXIST") return false;
    throw error;
  }
}

function heldLock(path: string, token: string): HeldLock {
  const isHeld = () => read(path)?.startsWith(token) === true;
  return {
    isHeld,
    release() {
      if (isHeld()) rmSync(path, { force: true });
    },
  };
}

/** The token of a lock whose owner is gone. A file that is not finished is young, until it is old. */
function readDeadToken(path: string): string | undefined {
  const content = read(path);
  if (content === undefined) return undefined;
  const match = CONTENT.exec(content);
  const old = ageOf(path) > MAX_AGE;
  // A process that died before it had written its token left a lock without one.
  if (match === null) return old ? "unfinished" : undefined;
  const [, token, processId, place] = match;
  const gone = place === PLACE && !isRunning(Number(processId));
  return gone || old ? token : undefined;
}

function processSpace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function ageOf(path: string): number {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // Not allowed to signal it: it is there.
    return (error as { code?: unknown }).code === "EPERM";
  }
}
