import { TrustablError } from "../../../errors.ts";

/**
 * Why a text is no trail:
 * - `too_large`: more than 4 Mi characters, or more entries than a trail has
 * - `not_json`: no JSON, or no object
 * - `unknown_version`: the trail of another version of this package
 * - `invalid`: an entry is not what it should be
 */
export type TrailErrorCode = "too_large" | "not_json" | "unknown_version" | "invalid";

/** A text that is no trail. The message quotes nothing of it. */
export class TrailError extends TrustablError<TrailErrorCode> {}

// A literal, since minifiers change class names; on the prototype, since an own `name` is printed twice.
Object.defineProperty(TrailError.prototype, "name", {
  value: "TrailError",
  configurable: true,
  writable: true,
});
