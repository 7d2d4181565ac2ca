/**
 * Loaded policies as text for operators.
 *
 * @module
 */
import type { LoadedPolicies } from "./load-policies.ts";

/**
 * One line for each policy and a sum at the end. Pure: what it says is in `loaded`, and no colours.
 *
 * @example
 * ```text
 * verified  egress  3.1.0  sandbox  required
 *           sha256 3b7f…c0de
 *           id and version are signed, loading was not confirmed
 * failed    content  required  signature_invalid
 *           The signature does not verify over this file with any trusted key.
 * 1 verified, 1 failed (1 required)
 * ```
 */
export function describePolicies({ verified, failed }: LoadedPolicies): string {
  if (verified.length + failed.length === 0) return "The manifest lists no policy.\n";
  const lines: string[] = [];
  for (const policy of verified) {
    lines.push(line("verified", policy.id, policy.version, policy.type, need(policy.required)));
    lines.push(line("", `sha256 ${policy.sha256}`));
    const metadata = policy.metadataSigned ? "id and version are signed" : "id and version are not signed";
    lines.push(line("", `${metadata}, loading was ${policy.loadConfirmed ? "" : "not "}confirmed`));
  }
  for (const failure of failed) {
    lines.push(line("failed", failure.id, need(failure.required), failure.code));
    lines.push(line("", failure.reason));
  }
  const required = failed.filter((failure) => failure.required).length;
  const detail = required > 0 ? ` (${required} required)` : "";
  lines.push(`${verified.length} verified, ${failed.length} failed${detail}`);
  return `${lines.join("\n")}\n`;
}

function line(verdict: string, ...parts: readonly string[]): string {
  return verdict.padEnd(10) + parts.join("  ");
}

function need(required: boolean): string {
  return required ? "required" : "optional";
}
