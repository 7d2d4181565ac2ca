/** A folder with a policy in it, as a deployment has it, and what tests do to the files. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { PolicyError, type PolicyErrorCode, type VerifiedPolicy } from "../../../src/policies/index.ts";

/** A new folder, removed when the test file is done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "policies-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const POLICY = [
  "# Which hosts the agent may talk to.",
  "egress:",
  "  allow: [api.example.com]",
  "  deny: ['*']",
  "",
].join("\n");

/** Fields that a policy of these tests has, whatever its format. */
export const described = {
  id: "egress",
  type: "sandbox",
  version: "3.1.0",
  required: true,
  source: "sidecar",
  file: "egress.yaml",
} as const;

export function writePolicy(folder: string): string {
  writeFileSync(join(folder, "egress.yaml"), POLICY);
  return "egress.yaml";
}

export const read = (folder: string, file: string): Buffer => readFileSync(join(folder, file));
export const write = (folder: string, file: string, content: string | Uint8Array): void =>
  writeFileSync(join(folder, file), content);

/** The code with which a verification fails; fails the test when it does not. */
export async function codeOf(verification: Promise<unknown>): Promise<PolicyErrorCode> {
  const error = await errorOf(verification);
  if (!(error instanceof PolicyError)) throw error;
  return error.code;
}

export async function errorOf(verification: Promise<unknown>): Promise<unknown> {
  const outcome = await verification.then(
    (policy) => ({ policy: policy as VerifiedPolicy }),
    (error: unknown) => ({ error }),
  );
  if ("policy" in outcome) throw new Error("It verified, and it must not.");
  return outcome.error;
}

/** The same bytes with another value at one place. */
export function flip(bytes: Uint8Array, at: number, by = 1): Uint8Array {
  const changed = new Uint8Array(bytes);
  changed[at] = (changed[at] ?? 0) ^ by;
  return changed;
}
