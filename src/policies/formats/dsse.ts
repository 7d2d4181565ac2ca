/**
 * `dsse`: an in-toto statement about the file, in a DSSE envelope signed with a trusted key.
 *
 * @module
 */
import { verifyWithKeys } from "../keys/verify-with-keys.ts";
import { type DetachedConfig, readDetached } from "./detached.ts";
import { readEnvelope } from "./dsse-envelope.ts";
import type { SignatureFormat } from "./format.ts";
import { readPolicyStatement } from "./in-toto.ts";

/** A policy with a signed in-toto statement about it, in a DSSE envelope. */
export interface DsseConfig extends DetachedConfig {
  readonly format: "dsse";
  /** The exact `predicateType` that the deployment uses for policies. */
  readonly predicateType: string;
}

export const dsse: SignatureFormat = {
  name: "dsse",
  prepare(config) {
    const readFiles = readDetached(config);
    const predicateType = config.text("predicateType");
    return async (input) => {
      const { signature, keys } = await readFiles(input);
      const envelope = readEnvelope(signature);
      verifyWithKeys(keys, ["ed25519", "ecdsa-p256"], envelope.signatures, input.now);
      // Nothing of the payload is parsed before this line: until here it is a stranger's.
      const metadata = readPolicyStatement(envelope, predicateType, input.sha256);
      return { metadata, metadataExpected: true };
    };
  },
};
