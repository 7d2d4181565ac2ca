/**
 * What can keep a policy from being bound: one row per code, and the error that carries it.
 *
 * @module
 */
import { TrustablError } from "../errors.ts";

/** Every code and what it says. `docs/policies.md` prints these rows; a test holds the two equal. */
export const POLICY_ERROR_CODES = {
  config_invalid: "The configuration of the policy, or the manifest, is wrong. Nothing was verified.",
  format_unsupported: "The configured format, or a variant of it, is not one that this package verifies.",
  dependency_missing: "The format needs an optional package that is not installed.",
  unreadable: "A file is missing, is not a regular file, or changed its place while it was opened.",
  outside_folder: "A path, or the file that a symbolic link leads to, is outside the folder.",
  too_large: "A file is larger than its limit.",
  trust_root_invalid: "The keyring, the public key or the trusted root cannot be used, or holds a weak key.",
  signature_malformed: "The signature cannot be read in the configured format.",
  signature_invalid: "The signature does not verify over this file with any trusted key.",
  algorithm_refused: "The signature names an algorithm that no trusted key fixes.",
  key_unknown: "The signature does not verify, and it names a key that is not in the trust root.",
  key_expired: "The signature verifies only with a key whose `not_after` has passed.",
  key_not_yet_valid: "The signature verifies only with a key whose `not_before` has not come yet.",
  identity_mismatch: "The certificate's identity or issuer is not exactly the configured one.",
  predicate_mismatch: "The signed statement is of another type than the configured one, so it is no policy.",
  digest_mismatch: "The signed statement is about another file.",
  member_mismatch: "The member files are not exactly those that were signed.",
  metadata_missing: "The signature does not cover the policy's id and version, and they are required.",
  metadata_mismatch: "Signed metadata differs from the configured id, version, type, scope or validity.",
  expired: "The policy's signed or configured end has passed.",
  not_yet_valid: "The policy's signed or configured start has not come yet.",
  rolled_back: "The version is below the last one seen.",
  version_reused: "The version was seen before with other content.",
  version_unordered: "A last-seen store is given, but the version has no order.",
  store_unusable: "The last-seen store cannot be read or written, or its content is damaged.",
  store_busy: "Another process held the last-seen store for too long.",
  not_loaded: "The enforcer says that it has loaded something else.",
  confirmation_failed: "The enforcer could not be asked, or did not answer in time.",
  unexpected: "Verification failed for a reason that this package did not foresee.",
} as const satisfies Record<string, string>;

/** Stable name of why a policy was not bound. */
export type PolicyErrorCode = keyof typeof POLICY_ERROR_CODES;

/**
 * Why a policy was not bound. Branch on `code`; the message is for people. Neither holds any content of a
 * policy, a signature or a key.
 */
export class PolicyError extends TrustablError<PolicyErrorCode> {
  /**
   * Thrown while policies are loaded and verified. The message is the code's sentence, and the detail after it.
   *
   * @param detail a fixed sentence of this package that says which part was wrong; never anything that was read
   */
  constructor(code: PolicyErrorCode, detail?: string) {
    super(code, detail === undefined ? POLICY_ERROR_CODES[code] : `${POLICY_ERROR_CODES[code]} ${detail}`);
  }
}

Object.defineProperty(PolicyError.prototype, "name", {
  value: "PolicyError",
  configurable: true,
  writable: true,
});
