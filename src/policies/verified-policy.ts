/**
 * A policy whose signature was verified. Only `verifyPolicy` makes one.
 *
 * @module
 */
import type { PolicySource, PolicyType } from "../attributes/registry.ts";
import type { Binding } from "../labels/policy-binding.ts";

// Whoever has a policy can reach its class through `constructor`. This key is what they cannot reach.
const key = Symbol("verified");

/**
 * A binding that was earned, and that only `verifyPolicy` and `loadPolicies` make: the file was read, its signature
 * verified, its hash computed. The fields are those of the `trustabl.policy.binding` event, and two that say how much
 * was proved; all are frozen.
 */
class VerifiedPolicy implements Binding {
  readonly id: string;
  readonly type: PolicyType;
  readonly sha256: string;
  readonly version: string;
  readonly required: boolean;
  readonly source: PolicySource;
  /** Whether the signature covers id and version. Otherwise they are the deployment's word. */
  readonly metadataSigned: boolean;
  /** Whether the enforcer said that it has loaded this very file. Otherwise nobody was asked. */
  readonly loadConfirmed: boolean;

  // Private fields are out of reach for JSON, `util.inspect`, spreading and structured clones.
  readonly #bytes: Uint8Array;
  readonly #signedBytes: Uint8Array;
  readonly #members: ReadonlyMap<string, Uint8Array>;

  constructor(given: symbol, facts: VerifiedFacts) {
    if (given !== key) throw new TypeError("Only verifyPolicy makes a verified policy");
    this.id = facts.id;
    this.type = facts.type;
    this.sha256 = facts.sha256;
    this.version = facts.version;
    this.required = facts.required;
    this.source = facts.source;
    this.metadataSigned = facts.metadataSigned;
    this.loadConfirmed = facts.loadConfirmed;
    this.#bytes = facts.bytes;
    this.#signedBytes = facts.signedBytes;
    this.#members = facts.members;
    Object.freeze(this);
  }

  /**
   * The bytes of the file that were verified and hashed. Give these to the enforcer instead of the path: the file
   * may be another one by now. Each read gives a copy, so that nobody can change what was verified.
   */
  get bytes(): Uint8Array {
    return copy(this.#bytes);
  }

  /** The part of `bytes` that the signature covers: all of it, but of a `yaml-sigil` file only what is above `---`. */
  get signedBytes(): Uint8Array {
    return copy(this.#signedBytes);
  }

  /** Copies of the verified member files, by their path: of a `yaml-sigil` bundle, of an `opa` bundle, else none. */
  get members(): Map<string, Uint8Array> {
    return new Map([...this.#members].map(([path, bytes]) => [path, copy(bytes)]));
  }

  static is(value: unknown): value is VerifiedPolicy {
    return typeof value === "object" && value !== null && #bytes in value;
  }
}

Object.freeze(VerifiedPolicy.prototype);

// The type only. Whoever has the class still lacks the key.
export type { VerifiedPolicy };

/** Everything that a verified policy holds. */
export interface VerifiedFacts extends Binding {
  readonly metadataSigned: boolean;
  readonly loadConfirmed: boolean;
  readonly bytes: Uint8Array;
  readonly signedBytes: Uint8Array;
  readonly members: ReadonlyMap<string, Uint8Array>;
}

/** Not exported from the package: calling it is claiming that everything in `facts` was proved. */
export function makeVerifiedPolicy(facts: VerifiedFacts): VerifiedPolicy {
  return new VerifiedPolicy(key, facts);
}

/**
 * True for a policy that this copy of the package verified. Objects that only look like one, copies and clones are
 * not: use it where a plain binding must not do.
 *
 * @example
 * ```ts
 * import { isVerifiedPolicy } from "agent-reliability-otel-labels/policies";
 *
 * declare const policies: unknown[];
 * if (!policies.every(isVerifiedPolicy)) throw new Error("a policy was not verified");
 * ```
 */
export function isVerifiedPolicy(value: unknown): value is VerifiedPolicy {
  return VerifiedPolicy.is(value);
}

function copy(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}
