/**
 * From a configuration to a verified policy, or to an error. There is nothing in between.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { mustBeLoaded } from "./confirm-loaded.ts";
import { PolicyFolder } from "./files/policy-folder.ts";
import { advance, type LastSeenStore } from "./last-seen/last-seen.ts";
import { type PolicyConfig, type PreparedPolicy, preparePolicy } from "./policy-config.ts";
import { PolicyError } from "./policy-error.ts";
import { checkMetadata } from "./signed-metadata.ts";
import { makeVerifiedPolicy, type VerifiedPolicy } from "./verified-policy.ts";

/** What a verification may use beside the configuration. */
export interface VerifyOptions {
  /** Tells the time in milliseconds since the epoch. `Date.now` when left out. */
  readonly clock?: () => number;
  /** Remembers the last version of each policy and refuses earlier ones. */
  readonly lastSeen?: LastSeenStore;
  /** How long `confirmLoaded` may take, in milliseconds. 10,000 when left out. */
  readonly confirmTimeout?: number;
}

/** Options of {@link verifyPolicy}. */
export interface VerifyPolicyOptions extends VerifyOptions {
  /** The folder that all paths begin in and that no file may lie outside of. The working directory when left out. */
  readonly folder?: string;
}

/**
 * Reads a policy file, verifies its signature, and makes the binding for it.
 *
 * The binding proves that the file is authentic: a trusted key or identity signed just these bytes. It proves that
 * the file is enforced only where `confirmLoaded` was given.
 *
 * @throws PolicyError with a `code`; `docs/policies.md` lists them. Whatever goes wrong, there is no binding.
 * @example
 * ```ts
 * import { withRun } from "agent-reliability-otel-labels";
 * import { verifyPolicy } from "agent-reliability-otel-labels/policies";
 * import { trace } from "@opentelemetry/api";
 *
 * const policy = await verifyPolicy({
 *   id: "egress", type: "sandbox", version: "3.1.0", required: true, source: "sidecar",
 *   file: "egress.yaml", format: "ed25519", signature: "egress.yaml.sig", trust: { keyring: "keyring.json" },
 * });
 * withRun(trace.getActiveSpan(), () => "answer", { policies: [policy] });
 * ```
 */
export async function verifyPolicy(
  config: PolicyConfig,
  options: VerifyPolicyOptions = {},
): Promise<VerifiedPolicy> {
  return asPolicyError(async () => {
    const prepared = preparePolicy(config);
    const folder = await PolicyFolder.at(options.folder ?? process.cwd());
    return verifyPrepared(prepared, folder, options);
  });
}

/** The same for a configuration that was read already. */
export async function verifyPrepared(
  policy: PreparedPolicy,
  folder: PolicyFolder,
  options: VerifyOptions,
): Promise<VerifiedPolicy> {
  const now = (options.clock ?? Date.now)();
  const { expected, file, confirmLoaded } = policy;
  const bytes = await folder.read(file, "the policy file", policy.maxBytes);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const proof = await policy.prove({ artifact: bytes, sha256, path: file, folder, now });
  const mustBeSigned = policy.requireSignedMetadata ?? proof.metadataExpected ?? false;
  const metadataSigned = checkMetadata(proof.metadata ?? {}, expected, mustBeSigned, now);
  if (confirmLoaded !== undefined) await mustBeLoaded(confirmLoaded, sha256, options.confirmTimeout);
  // Last, so that a version which the enforcer would not load can still be replaced by the one before.
  if (options.lastSeen) await advance(options.lastSeen, expected.id, { version: expected.version, sha256 });
  return makeVerifiedPolicy({
    id: expected.id,
    type: expected.type,
    sha256,
    version: expected.version,
    required: policy.required,
    source: policy.source,
    metadataSigned,
    loadConfirmed: confirmLoaded !== undefined,
    bytes,
    signedBytes: proof.signedBytes ?? bytes,
    members: proof.members ?? new Map(),
  });
}

/** Runs an action whose every failure becomes a `PolicyError`, so that nothing that was read gets out in another. */
export async function asPolicyError<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    throw error instanceof PolicyError ? error : new PolicyError("unexpected");
  }
}
