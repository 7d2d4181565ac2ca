/**
 * `opa`: a bundle of the Open Policy Agent with its `.signatures.json`. The policy file is the bundle's archive, or
 * the `.signatures.json` of a bundle that lies in a folder.
 *
 * @module
 */
import { basename } from "node:path";
import { isRecord } from "../config-reader.ts";
import type { PolicyFolder } from "../files/policy-folder.ts";
import { type KeyTrust, readKeyTrust } from "../keys/key-trust.ts";
import { isPlainPath, type ListedMember, MAX_MEMBERS, mustHaveHash, readMember } from "../members.ts";
import { PolicyError } from "../policy-error.ts";
import { metadataOf, type SignedMetadata } from "../signed-metadata.ts";
import { decodeJson, decodeUtf8 } from "../text.ts";
import { readCompactJws } from "./compact-jws.ts";
import type { SignatureFormat } from "./format.ts";
import { opaDocumentText } from "./opa-document.ts";
import { readTarball } from "./tarball.ts";

/** A bundle of the Open Policy Agent: its archive, or the `.signatures.json` of the folder that it lies in. */
export interface OpaConfig {
  readonly format: "opa";
  /** The keys that may have signed the bundle; any one of them will do. */
  readonly trust: KeyTrust;
}

const SIGNATURES = ".signatures.json";
const MANIFEST = ".manifest";
// OPA also knows MD5 and SHA-1 here.
const HASHES: ReadonlyMap<unknown, ListedMember["algorithm"]> = new Map([
  ["SHA-256", "sha256"],
  ["SHA-384", "sha384"],
  ["SHA-512", "sha512"],
]);

export const opa: SignatureFormat = {
  name: "opa",
  prepare(config) {
    const readKeys = readKeyTrust(config.nested("trust"));
    return async ({ artifact, folder, path, now }) => {
      const keys = await readKeys((file, what) => folder.read(file, what));
      const unpacked = basename(path) === SIGNATURES;
      const files = unpacked
        ? await readFolder(await folder.around(path, "the policy file"))
        : readTarball(artifact);
      const signatures = unpacked ? artifact : files.get(SIGNATURES);
      files.delete(SIGNATURES);
      const payload = readCompactJws(onlyToken(signatures), keys, now);
      if (!isRecord(payload)) throw new PolicyError("signature_malformed");
      compare(payload.files, files);
      return { metadata: readMetadata(payload, files.get(MANIFEST)), members: files };
    };
  },
};

async function readFolder(folder: PolicyFolder): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const path of await folder.list("the bundle", MAX_MEMBERS)) {
    if (path !== SIGNATURES) await readMember(folder, path, files);
  }
  return files;
}

function onlyToken(file: Uint8Array | undefined): unknown {
  const document = file === undefined ? undefined : decodeJson(file);
  const { signatures, plugin } = isRecord(document) ? document : {};
  if (!Array.isArray(signatures) || signatures.length !== 1) throw new PolicyError("signature_malformed");
  // A plugin is code of the deployment that verifies in OPA's place.
  if (plugin !== undefined && plugin !== "") throw new PolicyError("format_unsupported");
  return signatures[0];
}

// Both ways: a file that is not listed would be loaded unsigned, a listed one that is missing was taken out.
function compare(listed: unknown, files: ReadonlyMap<string, Uint8Array>): void {
  if (!Array.isArray(listed)) throw new PolicyError("signature_malformed");
  const members = listed.map(readListed);
  const paths = new Set(members.map(({ path }) => path));
  if (paths.size !== members.length || paths.size !== files.size) throw new PolicyError("member_mismatch");
  for (const member of members) {
    const bytes = files.get(member.path);
    const content = bytes === undefined ? undefined : hashedContent(member.path, bytes);
    if (content === undefined) throw new PolicyError("member_mismatch");
    mustHaveHash(member, content);
  }
}

function readListed(entry: unknown): ListedMember {
  const { name, hash, algorithm } = isRecord(entry) ? entry : {};
  const known = HASHES.get(algorithm);
  if (known === undefined) throw new PolicyError("algorithm_refused");
  const path = typeof name === "string" ? name.replace(/^\//, "") : "";
  if (!isPlainPath(path) || typeof hash !== "string") throw new PolicyError("signature_malformed");
  return { path, algorithm: known, hash };
}

function hashedContent(path: string, bytes: Uint8Array): string | Uint8Array | undefined {
  const name = basename(path);
  if (/^data\.ya?ml$/.test(name)) {
    throw new PolicyError("format_unsupported", "OPA hashes YAML data as JSON of its own making.");
  }
  return name === MANIFEST || name === "data.json" ? opaDocumentText(decodeUtf8(bytes) ?? "") : bytes;
}

// OPA signs the revision, and an id only where the manifest's free `metadata` has one.
function readMetadata(
  payload: Record<string, unknown>,
  manifestFile: Uint8Array | undefined,
): SignedMetadata {
  const manifest = manifestFile === undefined ? {} : decodeJson(manifestFile);
  const { revision, metadata } = isRecord(manifest) ? manifest : {};
  const { id } = isRecord(metadata) ? metadata : {};
  const { scope, nbf, exp } = payload;
  const version = revision === "" ? undefined : revision;
  return {
    ...metadataOf({ id, version, scope: scope === "" ? undefined : scope }),
    notBefore: seconds(nbf),
    expiresAt: seconds(exp),
  };
}

function seconds(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (Number.isSafeInteger(value)) return (value as number) * 1000;
  throw new PolicyError("metadata_mismatch", "A signed date is no number of seconds.");
}
