/**
 * What the formats with a signature in a file of its own share: the two fields of their configuration.
 *
 * @module
 */
import type { ConfigReader } from "../config-reader.ts";
import { type KeyTrust, readKeyTrust } from "../keys/key-trust.ts";
import type { TrustedKey } from "../keys/keyring.ts";
import type { ProofInput } from "./format.ts";

/** A signature in a file of its own, made with one of the trusted keys. */
export interface DetachedConfig {
  /** Path of the signature file, in the folder of the manifest or below it. */
  readonly signature: string;
  /** The keys that may have made the signature; any one of them will do. */
  readonly trust: KeyTrust;
}

/** Takes the two fields; the result reads the two files. */
export function readDetached(
  config: ConfigReader,
): (input: ProofInput) => Promise<{ signature: Uint8Array; keys: readonly TrustedKey[] }> {
  const path = config.text("signature");
  const readKeys = readKeyTrust(config.nested("trust"));
  return async ({ folder }) => ({
    signature: await folder.read(path, "the signature"),
    keys: await readKeys((file, what) => folder.read(file, what)),
  });
}
