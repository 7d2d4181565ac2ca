/**
 * The two parts of a YamlSigil file (v1alpha1): the payload, and behind the last `---` the document that signs it.
 *
 * The cut is made on bytes. A YAML parser would have to read the payload first, before anything says whose it is.
 *
 * @module
 */
import { isRecord } from "../config-reader.ts";
import { PolicyError } from "../policy-error.ts";
import { decodeBase64, decodeUtf8 } from "../text.ts";
import { parseStrictYaml } from "./strict-yaml.ts";

export interface YamlSigilDocument {
  /** Everything before the marker: the only part that is signed. */
  readonly payload: Uint8Array;
  readonly algorithm: string;
  readonly signature: Uint8Array;
  readonly keyIdHint: string | undefined;
}

const SCHEMA = "YamlSigilSignature.v1alpha1";
const FIELDS: ReadonlySet<string> = new Set(["schema", "alg", "keyid", "signature"]);
const MAX_SIGNATURE_DOCUMENT = 16_384;
const MARKER = Buffer.from("---");
const LF = 0x0a;
const CR = 0x0d;

/** @throws PolicyError `signature_malformed` */
export async function readYamlSigil(file: Uint8Array): Promise<YamlSigilDocument> {
  if (decodeUtf8(file) === undefined) return malformed("The file is not UTF-8 without a byte order mark.");
  const marker = findLastMarker(file);
  if (marker === undefined) return malformed("The file has no signature document.");
  const carrier = file.subarray(marker.end);
  if (carrier.length > MAX_SIGNATURE_DOCUMENT) return malformed("The signature document is too long.");
  const fields = await parseStrictYaml(decodeUtf8(carrier) ?? "");
  if (!isRecord(fields) || Object.keys(fields).some((name) => !FIELDS.has(name))) {
    return malformed("The signature document is no plain mapping of the four known fields.");
  }
  const { schema, alg, keyid } = fields;
  const signature = decodeBase64(fields.signature, "base64url");
  const complete = schema === SCHEMA && typeof alg === "string" && signature !== undefined;
  if (!complete || (keyid !== undefined && typeof keyid !== "string")) {
    return malformed("The signature document is incomplete.");
  }
  return { payload: file.slice(0, marker.start), algorithm: alg, signature, keyIdHint: keyid };
}

function findLastMarker(file: Uint8Array): { start: number; end: number } | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  for (let at = bytes.lastIndexOf(MARKER); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(MARKER, at - 1)) {
    if (at > 0 && bytes[at - 1] !== LF) continue;
    const after = at + MARKER.length;
    if (bytes[after] === LF) return { start: at, end: after + 1 };
    if (bytes[after] === CR && bytes[after + 1] === LF) return { start: at, end: after + 2 };
  }
  return undefined;
}

function malformed(detail: string): never {
  throw new PolicyError("signature_malformed", detail);
}
