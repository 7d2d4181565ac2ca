/**
 * The policies of a deployment, from the manifest that lists them.
 *
 * @module
 */
import { basename, dirname } from "node:path";
import { hasShape } from "../attributes/shapes.ts";
import { ConfigReader, isRecord } from "./config-reader.ts";
import { PolicyFolder } from "./files/policy-folder.ts";
import { type ConfirmLoaded, type PreparedPolicy, preparePolicy } from "./policy-config.ts";
import { PolicyError, type PolicyErrorCode } from "./policy-error.ts";
import { decodeJson } from "./text.ts";
import type { VerifiedPolicy } from "./verified-policy.ts";
import { asPolicyError, type VerifyOptions, verifyPrepared } from "./verify-policy.ts";

/** Options of {@link loadPolicies}. */
export interface LoadPoliciesOptions extends VerifyOptions {
  /** The folder that no file may lie outside of: the manifest's own, which it is when left out, or one above it. */
  readonly outermostFolder?: string;
  /** For each policy that has one: how to ask its enforcer what it has loaded, by the policy's id. */
  readonly confirmLoaded?: Readonly<Record<string, ConfirmLoaded>>;
}

/** A policy that was not verified. There is no binding for it. */
export interface PolicyFailure {
  /** Place in the manifest, from 0. */
  readonly position: number;
  /** The configured id; `policies[POSITION]` where the entry has none that can be used. */
  readonly id: string;
  /** Whether a run may not go on without it. True unless the entry says otherwise. */
  readonly required: boolean;
  /** Why: one of `POLICY_ERROR_CODES`, whose values say what each means. */
  readonly code: PolicyErrorCode;
  /** A sentence for people. No content of any file is in it. */
  readonly reason: string;
}

/** What became of the policies of a manifest: each is in one of the two lists, in the manifest's order. */
export interface LoadedPolicies {
  /** Ready to be bound: give the whole to the option `policies` of `withRun`. */
  readonly verified: readonly VerifiedPolicy[];
  /** Not verified, and never bound. */
  readonly failed: readonly PolicyFailure[];
}

const MAX_POLICIES = 256;

/**
 * Verifies every policy that a manifest lists. Paths in it begin in the manifest's folder.
 *
 * One bad policy does not keep the others from being verified. It is in `failed`, and whether the program may go on
 * is for the caller to decide; `withRun` refuses to start when a required one is there.
 *
 * @param manifestFile path of a JSON file: `{ "policies": [PolicyConfig, ...] }`
 * @throws PolicyError when the manifest itself cannot be used: `unreadable`, `too_large`, `config_invalid`
 * @example
 * ```ts
 * import { withRun } from "agent-reliability-otel-labels";
 * import { loadPolicies } from "agent-reliability-otel-labels/policies";
 * import { trace } from "@opentelemetry/api";
 *
 * const policies = await loadPolicies("policies.json");
 * withRun(trace.getActiveSpan(), () => "answer", { policies });
 * ```
 */
export async function loadPolicies(
  manifestFile: string,
  options: LoadPoliciesOptions = {},
): Promise<LoadedPolicies> {
  return asPolicyError(async () => {
    if (typeof manifestFile !== "string") {
      throw new PolicyError("config_invalid", "Expected the path of the manifest as the first parameter.");
    }
    const folder = await PolicyFolder.at(dirname(manifestFile), options.outermostFolder);
    const entries = readEntries(await folder.read(basename(manifestFile), "the manifest"));
    const ids = entries.map(idOf);
    const confirmations = readConfirmations(options.confirmLoaded, ids);
    const verified: VerifiedPolicy[] = [];
    const failed: PolicyFailure[] = [];
    // One after the other: each holds its files in memory, and the order is the manifest's.
    for (const [position, entry] of entries.entries()) {
      const id = ids[position];
      try {
        const prepared = prepareEntry(entry, id !== undefined && ids.indexOf(id) !== ids.lastIndexOf(id));
        const confirmLoaded = id === undefined ? undefined : confirmations.get(id);
        verified.push(
          await asPolicyError(() => verifyPrepared({ ...prepared, confirmLoaded }, folder, options)),
        );
      } catch (error) {
        failed.push(failureOf(error, position, entry, id));
      }
    }
    return { verified, failed };
  });
}

function readEntries(manifest: Uint8Array): readonly unknown[] {
  const fields = new ConfigReader(decodeJson(manifest), "the manifest");
  const entries = fields.list("policies", MAX_POLICIES);
  fields.finish();
  return entries;
}

function idOf(entry: unknown): string | undefined {
  const id = isRecord(entry) ? entry.id : undefined;
  return hasShape({ form: "id" }, id) ? (id as string) : undefined;
}

function prepareEntry(entry: unknown, isDuplicate: boolean): PreparedPolicy {
  if (isDuplicate) throw new PolicyError("config_invalid", "The manifest has this id twice.");
  return preparePolicy(entry);
}

// A question for a policy that is not there would never be asked, and nobody would notice.
function readConfirmations(
  confirmLoaded: Readonly<Record<string, ConfirmLoaded>> | undefined,
  ids: readonly (string | undefined)[],
): ReadonlyMap<string, ConfirmLoaded> {
  const confirmations = new Map(Object.entries(confirmLoaded ?? {}));
  for (const [id, ask] of confirmations) {
    if (!ids.includes(id) || typeof ask !== "function") {
      throw new PolicyError(
        "config_invalid",
        "A confirmLoaded is no function, or is for an id that is not listed.",
      );
    }
  }
  return confirmations;
}

function failureOf(error: unknown, position: number, entry: unknown, id: string | undefined): PolicyFailure {
  const { code, message } = error instanceof PolicyError ? error : new PolicyError("unexpected");
  const required = !(isRecord(entry) && entry.required === false);
  return { position, id: id ?? `policies[${position}]`, required, code, reason: message };
}
