/**
 * `yaml-sigil`: a YAML file that carries its own signature (YamlSigil v1alpha1), as NVIDIA's agent policy bundles
 * do. A bundle lists its member files with their hashes; they are part of the policy.
 *
 * @module
 */
import { isRecord } from "../config-reader.ts";
import { type KeyTrust, readKeyTrust } from "../keys/key-trust.ts";
import type { KeyAlgorithm } from "../keys/public-key.ts";
import { verifyWithKeys } from "../keys/verify-with-keys.ts";
import { type ListedMember, readMembers } from "../members.ts";
import { PolicyError } from "../policy-error.ts";
import { metadataOf } from "../signed-metadata.ts";
import { decodeUtf8 } from "../text.ts";
import type { SignatureFormat } from "./format.ts";
import { type PlainYaml, parseStrictYaml } from "./strict-yaml.ts";
import { readYamlSigil } from "./yaml-sigil-document.ts";

/** A policy in YAML that holds its own signature. */
export interface YamlSigilConfig {
  readonly format: "yaml-sigil";
  /** The keys that may have made the signature; any one of them will do. */
  readonly trust: KeyTrust;
}

// The name of an algorithm must be the one that the trusted key has anyway.
const ALGORITHMS: ReadonlyMap<string, KeyAlgorithm> = new Map([
  ["ED25519_PUREEDDSA_RAW_RS64_CANONICAL", "ed25519"],
  ["ECDSA_SECP256R1_SHA256_RAW_RS64", "ecdsa-p256"],
]);
const SIGNATURE_LENGTH = 64;

export const yamlSigil: SignatureFormat = {
  name: "yaml-sigil",
  prepare(config) {
    const readKeys = readKeyTrust(config.nested("trust"));
    return async ({ artifact, folder, path, now }) => {
      const keys = await readKeys((file, what) => folder.read(file, what));
      const { payload, algorithm, signature, keyIdHint } = await readYamlSigil(artifact);
      const keyAlgorithm = ALGORITHMS.get(algorithm);
      if (keyAlgorithm === undefined) throw new PolicyError("algorithm_refused");
      if (signature.length !== SIGNATURE_LENGTH) throw new PolicyError("signature_malformed");
      verifyWithKeys(
        keys,
        [keyAlgorithm],
        [{ message: payload, signature, ecdsaEncoding: "ieee-p1363", keyIdHint }],
        now,
      );
      // Nothing of the payload is parsed before this line: until here it is a stranger's.
      const document = await parseStrictYaml(decodeUtf8(payload) ?? "");
      const members = await readMembers(
        await folder.around(path, "the policy file"),
        listedMembers(document),
      );
      return { signedBytes: payload, metadata: metadataOf(document), metadataExpected: true, members };
    };
  },
};

function listedMembers(document: PlainYaml): readonly ListedMember[] {
  if (!isRecord(document) || !Object.hasOwn(document, "manifest")) return [];
  const { manifest } = document;
  if (!Array.isArray(manifest)) throw new PolicyError("member_mismatch", "The signed list is no list.");
  return manifest.map((entry: unknown) => {
    const { path, sha256 } = isRecord(entry) ? entry : {};
    if (typeof path !== "string" || typeof sha256 !== "string") {
      throw new PolicyError("member_mismatch", "An entry of the signed list has no path or no hash.");
    }
    return { path, algorithm: "sha256", hash: sha256 };
  });
}
