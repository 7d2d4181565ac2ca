/**
 * `ed25519`: the 64 bytes of RFC 8032 over the file, raw or in base64, in a file beside it.
 *
 * @module
 */
import { verifyWithKeys } from "../keys/verify-with-keys.ts";
import { PolicyError } from "../policy-error.ts";
import { decodeBase64Line } from "../text.ts";
import { type DetachedConfig, readDetached } from "./detached.ts";
import type { SignatureFormat } from "./format.ts";

const LENGTH = 64;

/** A policy with an Ed25519 signature of 64 bytes, raw or in base64, in a file of its own. */
export interface Ed25519Config extends DetachedConfig {
  readonly format: "ed25519";
}

export const ed25519: SignatureFormat = {
  name: "ed25519",
  prepare(config) {
    const readFiles = readDetached(config);
    return async (input) => {
      const { signature: file, keys } = await readFiles(input);
      // 64 bytes are never base64 of 64 bytes, so the length tells the two apart without a guess.
      const signature = file.length === LENGTH ? file : decodeBase64Line(file);
      if (signature?.length !== LENGTH) throw new PolicyError("signature_malformed");
      verifyWithKeys(
        keys,
        ["ed25519"],
        [{ message: input.artifact, signature, ecdsaEncoding: "der" }],
        input.now,
      );
      return {};
    };
  },
};
