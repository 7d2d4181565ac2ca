/** Real programs that sign. A missing one fails the test and says how to get it; nothing passes without it. */
import { execFileSync } from "node:child_process";

const PACKAGES: Readonly<Record<string, string>> = {
  openssl: "openssl",
  "ssh-keygen": "openssh-client",
  minisign: "minisign",
  tar: "tar",
  bash: "bash",
};

/** Runs a program and gives what it prints. */
export function run(tool: string, parameters: readonly string[], folder: string): Buffer {
  try {
    return execFileSync(tool, parameters, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new Error(`These tests need the program ${tool} (Debian package ${PACKAGES[tool] ?? tool}).`);
  }
}
