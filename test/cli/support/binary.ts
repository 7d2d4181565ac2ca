/** The built program, run as people run it. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Outcome } from "./run-main.ts";

export const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));

export interface Binary {
  /** Path of the program. */
  readonly path: string;
  run(argv: readonly string[], options?: RunOptions): Promise<Outcome>;
  start(argv: readonly string[], options?: RunOptions): Running;
  remove(): void;
}

export interface RunOptions {
  readonly stdin?: string | Uint8Array;
  readonly cwd?: string;
  readonly env?: Record<string, string | undefined>;
}

export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Outcome>;
  /** Waits until standard error has this, and returns the match. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Compiles the package into a folder of its own, so that tests neither use nor disturb `dist`. */
export function buildBinary(): Binary {
  const folder = mkdtempSync(join(tmpdir(), "otel-labels-"));
  // The package's own imports (#sha256) are looked up in the package.json above the compiled files.
  copyFileSync(join(REPOSITORY, "package.json"), join(folder, "package.json"));
  symlinkSync(join(REPOSITORY, "node_modules"), join(folder, "node_modules"));
  const tsc = join(REPOSITORY, "node_modules/typescript/bin/tsc");
  const args = [tsc, "-p", "tsconfig.build.json", "--outDir", join(folder, "dist"), "--declaration", "false"];
  const path = join(folder, "dist/cli/bin.js");
  try {
    execFileSync(process.execPath, args, { cwd: REPOSITORY });
  } catch (error) {
    // A type error is the type check's to report; what was compiled can be run.
    if (!existsSync(path)) throw error;
  }
  const start = (argv: readonly string[], options?: RunOptions) => startBinary(path, argv, options);
  return {
    path,
    start,
    run: (argv, options) => start(argv, options).ended,
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function startBinary(path: string, argv: readonly string[], options: RunOptions = {}): Running {
  const child = spawn(process.execPath, [path, ...argv], {
    cwd: options.cwd ?? tmpdir(),
    env: { ...process.env, ...options.env },
  });
  const written = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    written.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    written.stderr += chunk;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(options.stdin);
  const ended = once(child, "close").then(([code]) => ({ code: code as number, ...written }));
  return {
    child,
    ended,
    async says(pattern) {
      for (;;) {
        const match = pattern.exec(written.stderr);
        if (match !== null) return match;
        if (child.exitCode !== null) throw new Error(`ended without saying ${pattern}: ${written.stderr}`);
        await Promise.race([once(child.stderr, "data"), ended]);
      }
    },
  };
}
