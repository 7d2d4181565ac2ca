/**
 * A fingerprint for a label: what cannot be fingerprinted loses its own label, and nothing else.
 *
 * @module
 */
import { TrustablError } from "../errors.ts";
import { reportLoss } from "./diagnostics.ts";

/** The fingerprint of `value`, or `undefined` after saying why there is none. Never throws. */
export function fingerprintOrReport(
  label: "trustabl.tool.input_fp" | "trustabl.tool.output_fp",
  fingerprint: (value: unknown) => string,
  value: unknown,
): string | undefined {
  try {
    return fingerprint(value);
  } catch (error) {
    // The message of a CanonicalizationError names a position and a kind, never a value; any other is not shown.
    if (TrustablError.isInstance(error)) reportLoss(label, error.code, error.message);
    else reportLoss(label, "unknown", "the fingerprint could not be computed");
    return undefined;
  }
}
