/**
 * Signed policies, imported from `agent-reliability-otel-labels/policies`: read the file, verify its signature,
 * compute its hash, and only then make a binding. Node only.
 *
 * @module
 */
export { describePolicies } from "./describe-policies.ts";
export type { CosignConfig } from "./formats/cosign.ts";
export type { DetachedConfig } from "./formats/detached.ts";
export type { DsseConfig } from "./formats/dsse.ts";
export type { Ed25519Config } from "./formats/ed25519.ts";
export type { FormatConfig } from "./formats/index.ts";
export type { MinisignConfig } from "./formats/minisign.ts";
export type { OpaConfig } from "./formats/opa.ts";
export type { SigstoreConfig } from "./formats/sigstore.ts";
export type { SshsigConfig } from "./formats/sshsig.ts";
export type { YamlSigilConfig } from "./formats/yaml-sigil.ts";
export { hashPolicyFile } from "./hash-policy.ts";
export type { KeyTrust } from "./keys/key-trust.ts";
export type { Keyring, KeyringEntry } from "./keys/keyring.ts";
export { FileLastSeenStore, type FileLastSeenStoreOptions } from "./last-seen/file-last-seen-store.ts";
export type { LastSeen, LastSeenStore } from "./last-seen/last-seen.ts";
export {
  type LoadedPolicies,
  type LoadPoliciesOptions,
  loadPolicies,
  type PolicyFailure,
} from "./load-policies.ts";
export type { ConfirmLoaded, PolicyConfig, PolicyDescription } from "./policy-config.ts";
export { POLICY_ERROR_CODES, PolicyError, type PolicyErrorCode } from "./policy-error.ts";
export { isVerifiedPolicy, type VerifiedPolicy } from "./verified-policy.ts";
export { type VerifyOptions, type VerifyPolicyOptions, verifyPolicy } from "./verify-policy.ts";
