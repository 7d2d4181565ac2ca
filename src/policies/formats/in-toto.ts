/**
 * The in-toto statement inside an envelope: of which type it is, which file it is about, what it says.
 *
 * A scan report is signed with the same keys and in the same envelope as a policy. Only the predicate type tells
 * them apart, so it is configured and compared exactly.
 *
 * @module
 */
import { isRecord } from "../config-reader.ts";
import { PolicyError } from "../policy-error.ts";
import { metadataOf, type SignedMetadata } from "../signed-metadata.ts";
import { decodeJson } from "../text.ts";

const PAYLOAD_TYPE = "application/vnd.in-toto+json";
const STATEMENT_TYPES: ReadonlySet<unknown> = new Set([
  "https://in-toto.io/Statement/v1",
  "https://in-toto.io/Statement/v0.1",
]);

/**
 * Checks an authenticated payload and gives its predicate's metadata.
 *
 * @param sha256 of the policy file; one subject of the statement must have it
 * @throws PolicyError `predicate_mismatch`, `digest_mismatch`, `metadata_mismatch`, `signature_malformed`
 */
export function readPolicyStatement(
  envelope: { readonly payloadType: string; readonly payload: Uint8Array },
  predicateType: string,
  sha256: string,
): SignedMetadata {
  if (envelope.payloadType !== PAYLOAD_TYPE) throw new PolicyError("predicate_mismatch");
  const statement = decodeJson(envelope.payload);
  if (!isRecord(statement)) throw new PolicyError("signature_malformed", "The statement is no JSON object.");
  if (!STATEMENT_TYPES.has(statement._type) || statement.predicateType !== predicateType) {
    throw new PolicyError("predicate_mismatch");
  }
  const subjects: unknown = statement.subject;
  if (!Array.isArray(subjects) || !subjects.some((subject) => digestOf(subject) === sha256)) {
    throw new PolicyError("digest_mismatch");
  }
  return metadataOf(statement.predicate ?? {});
}

function digestOf(subject: unknown): unknown {
  const digest = isRecord(subject) ? subject.digest : undefined;
  return isRecord(digest) ? digest.sha256 : undefined;
}
