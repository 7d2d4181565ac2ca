/**
 * A registry in 64 characters: equal registries have equal digests, and any change of a word gives another.
 *
 * @module
 */
import { sha256 } from "#sha256";
import { canonicalJson } from "../fingerprint/index.ts";
import type { ContractRegistry } from "./contract.ts";

/**
 * The SHA-256 of the registry's canonical JSON (RFC 8785): 64 lower-case hexadecimal characters, the same in every language.
 *
 * @throws {CanonicalizationError} when the JSON is beyond the bounds of canonical text (1,000,000 values, 16 Mi characters)
 * @example
 * ```ts
 * import { defineTools, registryDigest } from "agent-reliability-otel-labels/contracts";
 *
 * registryDigest(defineTools({})); // 44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a
 * ```
 */
export function registryDigest(tools: ContractRegistry): string {
  const data = Object.fromEntries(Object.entries(tools).map(([name, contract]) => [name, { ...contract }]));
  // Nothing is volatile here: an argument called `cursor` is part of the contract.
  return sha256(canonicalJson(data, { volatileKeys: [] }));
}
