/**
 * The DSSE envelope (version 1): a payload with its type, and signatures over both.
 *
 * @module
 */
import { isRecord } from "../config-reader.ts";
import type { FoundSignature } from "../keys/verify-with-keys.ts";
import { PolicyError } from "../policy-error.ts";
import { decodeBase64, decodeJson } from "../text.ts";

export interface DsseEnvelope {
  readonly payloadType: string;
  readonly payload: Uint8Array;
  readonly signatures: readonly FoundSignature[];
}

// Each signature is tried with each trusted key.
const MAX_SIGNATURES = 16;
const BUNDLE = /^application\/vnd\.dev\.sigstore\.bundle(?:\+json;version=0\.[123]|\.v0\.3\+json)$/;

/**
 * Reads an envelope that is bare, in a sigstore bundle, or in what cosign 2 wrote (`base64Signature`).
 *
 * @throws PolicyError `signature_malformed`
 */
export function readEnvelope(file: Uint8Array): DsseEnvelope {
  const document = decodeJson(file);
  if (!isRecord(document)) return malformed("It is no JSON object.");
  if (Object.hasOwn(document, "dsseEnvelope")) {
    const mediaType = document.mediaType;
    const known = typeof mediaType === "string" && BUNDLE.test(mediaType);
    return known ? parse(document.dsseEnvelope) : malformed("It is a bundle of another version.");
  }
  if (!Object.hasOwn(document, "base64Signature")) return parse(document);
  const inner = decodeBase64(document.base64Signature, "base64");
  return parse(inner === undefined ? undefined : decodeJson(inner));
}

function parse(envelope: unknown): DsseEnvelope {
  if (!isRecord(envelope)) return malformed("There is no DSSE envelope in it.");
  const { payloadType, signatures } = envelope;
  const payload = decodeBase64(envelope.payload, "base64");
  if (typeof payloadType !== "string" || payload === undefined || !Array.isArray(signatures)) {
    return malformed("The DSSE envelope is incomplete.");
  }
  if (signatures.length === 0 || signatures.length > MAX_SIGNATURES) {
    return malformed(`A DSSE envelope holds 1 to ${MAX_SIGNATURES} signatures.`);
  }
  const message = preAuthenticationEncoding(payloadType, payload);
  return { payloadType, payload, signatures: signatures.map((one) => readSignature(one, message)) };
}

function readSignature(value: unknown, message: Uint8Array): FoundSignature {
  const signature = isRecord(value) ? decodeBase64(value.sig, "base64") : undefined;
  if (signature === undefined) return malformed("A signature of the DSSE envelope is no base64.");
  const keyId = isRecord(value) ? value.keyid : undefined;
  const keyIdHint = typeof keyId === "string" && keyId.length > 0 ? keyId : undefined;
  return { message, signature, ecdsaEncoding: "der", keyIdHint };
}

/** The bytes that DSSE signs: lengths in front of both parts, so that none can flow into the other. */
function preAuthenticationEncoding(payloadType: string, payload: Uint8Array): Uint8Array {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

function malformed(detail: string): never {
  throw new PolicyError("signature_malformed", detail);
}
