/** Checked by the compiler only: what the types of this door let through, and what they do not. */
import type { Binding } from "../../src/labels/policy-binding.ts";
import {
  isVerifiedPolicy,
  type LoadedPolicies,
  loadPolicies,
  type PolicyConfig,
  PolicyError,
  type VerifiedPolicy,
  verifyPolicy,
} from "../../src/policies/index.ts";

declare const policy: VerifiedPolicy;
declare const binding: Binding;
declare const loaded: LoadedPolicies;

/** What a run takes, written out as the root door has it. */
interface PolicySet {
  readonly verified: readonly Binding[];
  readonly failed: readonly { readonly id: string; readonly required: boolean; readonly code: string }[];
}

export const asBinding: Binding = policy;
export const asPolicySet: PolicySet = loaded;

// @ts-expect-error a binding is not verified because it looks like one
export const forged: VerifiedPolicy = binding;
// @ts-expect-error nor because it has every field that can be seen
export const spread: VerifiedPolicy = { ...policy };
// @ts-expect-error what was verified cannot be changed
policy.sha256 = "";

const described = {
  id: "a",
  type: "sandbox",
  version: "1",
  required: true,
  source: "sidecar",
  file: "f",
} as const;
const trust = { publicKey: "k" };
export const configs: PolicyConfig[] = [
  { ...described, format: "ed25519", signature: "s", trust },
  { ...described, format: "dsse", signature: "s", trust, predicateType: "p" },
  { ...described, format: "yaml-sigil", trust: { keys: [{ id: "k", public_key: "p" }] } },
  {
    ...described,
    format: "sigstore",
    signature: "s",
    trust: { trustedRoot: "r", identity: "i", issuer: "j" },
    confirmLoaded: async () => "",
  },
  // @ts-expect-error the predicate type has to be pinned
  { ...described, format: "dsse", signature: "s", trust },
  // @ts-expect-error the namespace has to be pinned
  { ...described, format: "sshsig", signature: "s", trust },
  // @ts-expect-error an identity without its issuer is anybody's
  { ...described, format: "sigstore", signature: "s", trust: { trustedRoot: "r", identity: "i" } },
  // @ts-expect-error there is no such format
  { ...described, format: "gpg", signature: "s", trust },
];

export async function example(value: Binding): Promise<VerifiedPolicy[]> {
  const [config] = configs;
  if (config === undefined) return [];
  try {
    const one: VerifiedPolicy = await verifyPolicy(config);
    const all: LoadedPolicies = await loadPolicies("policies.json");
    return isVerifiedPolicy(value) ? [one, ...all.verified, value] : [one];
  } catch (error) {
    // @ts-expect-error codes are a closed list
    if (error instanceof PolicyError && error.code === "no_such_code") return [];
    throw error;
  }
}
