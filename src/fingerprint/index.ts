/**
 * Sameness: whether two values are the same call, or the same result, in 16 characters.
 *
 * @module
 */
export { canonicalJson, stripVolatile, wireJson } from "./canonical-json.ts";
export {
  CANONICALIZATION_ERROR_CODES,
  CanonicalizationError,
  type CanonicalizationErrorCode,
} from "./canonicalization-error.ts";
export { canonicalFp, strictFp, strictSha256, wireFp } from "./fingerprint.ts";
export { FingerprintKey } from "./fingerprint-key.ts";
export {
  prepareRunFingerprint,
  prepareToolFingerprint,
  type RunFingerprint,
  type ToolFingerprint,
  type ToolFingerprintMode,
} from "./fingerprint-mode.ts";
export type { FingerprintOptions } from "./options.ts";
export { prepareVolatileKeys, VOLATILE_KEYS, type VolatileKeys } from "./volatile-keys.ts";
