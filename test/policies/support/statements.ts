/** in-toto statements in DSSE envelopes, signed by OpenSSL. */
import { type OpensslKey, sign } from "./openssl.ts";

/** What a test changes of a right statement. */
export interface DsseParts {
  readonly sha256?: string;
  readonly subject?: unknown;
  readonly predicate?: unknown;
  readonly predicateType?: string;
  readonly payloadType?: string;
  readonly statementType?: string;
}

export interface DsseDocument {
  readonly payload: string;
  readonly payloadType: string;
  readonly signatures: readonly { readonly sig: string }[];
}

export function statement(parts: DsseParts): string {
  const { sha256, predicateType = "https://example.com/policy/v1" } = parts;
  return JSON.stringify({
    _type: parts.statementType ?? "https://in-toto.io/Statement/v1",
    subject: parts.subject ?? [{ name: "egress.yaml", digest: { sha256 } }],
    predicateType,
    predicate: "predicate" in parts ? parts.predicate : { id: "egress", version: "3.1.0" },
  });
}

export function envelope(folder: string, key: OpensslKey, parts: DsseParts): DsseDocument {
  const payload = Buffer.from(statement(parts));
  const payloadType = parts.payloadType ?? "application/vnd.in-toto+json";
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `;
  const sig = sign(folder, key, Buffer.concat([Buffer.from(head), payload])).toString("base64");
  return { payload: payload.toString("base64"), payloadType, signatures: [{ sig }] };
}
