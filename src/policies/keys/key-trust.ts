/**
 * Where a policy's trusted keys come from: a keyring file, a keyring in the configuration, or one key in a file.
 *
 * @module
 */
import type { ConfigReader } from "../config-reader.ts";
import { PolicyError } from "../policy-error.ts";
import { decodeUtf8 } from "../text.ts";
import { type KeyringEntry, parseKeyring, readKeyring, readSingleKey, type TrustedKey } from "./keyring.ts";

/** The keys that may sign a policy. Exactly one of the three. */
export type KeyTrust =
  | {
      /** Path of a keyring file: `{ "keys": [{ "id", "public_key", "not_before"?, "not_after"? }] }`. */
      readonly keyring: string;
    }
  | {
      /** The same keys, in the configuration itself. */
      readonly keys: readonly KeyringEntry[];
    }
  | {
      /** Path of a file with one public key. Such a key has no end of validity. */
      readonly publicKey: string;
    };

type ReadFile = (path: string, what: string) => Promise<Uint8Array>;

/** Reads the field `trust`; the files it names are read when the result is called. */
export function readKeyTrust(trust: ConfigReader): (read: ReadFile) => Promise<readonly TrustedKey[]> {
  const keyring = trust.optionalText("keyring");
  const publicKey = trust.optionalText("publicKey");
  const keys = trust.take("keys");
  trust.finish();
  if ([keyring, publicKey, keys].filter((one) => one !== undefined).length !== 1) {
    throw new PolicyError("config_invalid", "A trust is exactly one of keyring, keys and publicKey.");
  }
  if (keyring !== undefined) return async (read) => parseKeyring(await read(keyring, "the keyring"));
  if (publicKey === undefined) return async () => readKeyring({ keys });
  return async (read) => {
    const text = decodeUtf8(await read(publicKey, "the public key"));
    if (text === undefined) throw new PolicyError("trust_root_invalid", "The public key is no text.");
    return readSingleKey(text);
  };
}
