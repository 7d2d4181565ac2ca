/**
 * What can be asked of the verifier, and what it does when nothing is asked.
 *
 * @module
 */
import { TrustablError } from "../errors.ts";
import { FingerprintKey } from "../fingerprint/index.ts";
import { CHECK_IDS, type CheckId } from "./checks/check-id.ts";

/** Options of {@link verify} and {@link createVerifier}. */
export interface VerifyOptions {
  /** Unknown outcomes, warnings and an input that could not be read to its end make the verdict `fail`. Default false. */
  readonly strict?: boolean | undefined;
  /** Run these checks only. */
  readonly only?: Iterable<CheckId> | undefined;
  /** Leave these checks out. */
  readonly ignore?: Iterable<CheckId> | undefined;
  /** Judge this run only. */
  readonly run?: string | undefined;
  /** Texts that must appear in no label. */
  readonly secrets?: Iterable<string> | undefined;
  /**
   * How the fingerprints were made, which no label says. `{ key }`: with this key, so that they are recomputed with it.
   * `"keyed"`: with a key that is not here (`fingerprint: "run"`), so that they cannot be recomputed. In both cases a
   * fingerprint without a key is a failure. Default: without a key.
   */
  readonly fingerprint?: "keyed" | { readonly key: Uint8Array } | undefined;
  /** The volatile keys that fingerprints were made with, where they are not the default ones. */
  readonly volatileKeys?: Iterable<string> | undefined;
  /** How far the clocks of two spans may differ, in milliseconds. Default 20. */
  readonly skewMilliseconds?: number | undefined;
  /** Findings kept for each check; counts stay exact. Default 50. */
  readonly maxFindings?: number | undefined;
  /** Runs shown as a tree. Default 20. */
  readonly maxRuns?: number | undefined;
  /**
   * Spans remembered at the same time: the window in which the spans of one trace have to arrive. Default 50,000,
   * at most about 50 MB. Spans that come later are reported as unknown.
   */
  readonly maxOpenSpans?: number | undefined;
}

/** An option that cannot be used. */
export class VerifyOptionsError extends TrustablError<
  "unknown_check" | "empty_secret" | "invalid_number" | "invalid_fingerprint"
> {}

// A literal, since minifiers change class names; on the prototype, since an own `name` is printed twice.
Object.defineProperty(VerifyOptionsError.prototype, "name", {
  value: "VerifyOptionsError",
  configurable: true,
  writable: true,
});

/** The options with every default filled in. */
export interface VerifySettings {
  readonly strict: boolean;
  readonly checks: ReadonlySet<CheckId>;
  readonly run: string | undefined;
  readonly secrets: readonly string[];
  readonly fingerprint: "keyed" | FingerprintKey | undefined;
  readonly volatileKeys: readonly string[] | undefined;
  readonly skewMilliseconds: number;
  readonly maxFindings: number;
  readonly maxRuns: number;
  readonly maxOpenSpans: number;
}

/**
 * Fills in the defaults.
 *
 * @throws VerifyOptionsError on a check that does not exist, an empty secret, or a limit that is not a count
 */
export function settingsOf(options: VerifyOptions = {}): VerifySettings {
  const only = checkIds(options.only);
  const ignore = checkIds(options.ignore);
  const secrets = [...(options.secrets ?? [])];
  if (secrets.some((secret) => typeof secret !== "string" || secret.trim() === "")) {
    throw new VerifyOptionsError("empty_secret", "a secret has to be a text that is not empty");
  }
  return {
    strict: options.strict === true,
    checks: new Set(
      CHECK_IDS.filter((id) => (only === undefined || only.has(id)) && !(ignore?.has(id) ?? false)),
    ),
    run: options.run,
    secrets,
    fingerprint: fingerprintOf(options.fingerprint),
    volatileKeys: options.volatileKeys === undefined ? undefined : [...options.volatileKeys],
    skewMilliseconds: count("skewMilliseconds", options.skewMilliseconds, 20),
    maxFindings: count("maxFindings", options.maxFindings, 50),
    maxRuns: count("maxRuns", options.maxRuns, 20),
    maxOpenSpans: count("maxOpenSpans", options.maxOpenSpans, 50_000),
  };
}

function fingerprintOf(given: VerifyOptions["fingerprint"]): VerifySettings["fingerprint"] {
  if (given === undefined || given === "keyed") return given;
  try {
    return new FingerprintKey(given.key);
  } catch {
    throw new VerifyOptionsError(
      "invalid_fingerprint",
      'fingerprint has to be "keyed", or a key as a Uint8Array of 32 bytes or more',
    );
  }
}

function checkIds(given: Iterable<string> | undefined): Set<string> | undefined {
  if (given === undefined) return undefined;
  const ids = new Set(given);
  for (const id of ids) {
    if (!(CHECK_IDS as readonly string[]).includes(id)) {
      throw new VerifyOptionsError(
        "unknown_check",
        `there is no such check; the checks are ${CHECK_IDS.join(", ")}`,
      );
    }
  }
  return ids;
}

function count(name: string, given: number | undefined, otherwise: number): number {
  if (given === undefined) return otherwise;
  if (!Number.isSafeInteger(given) || given < 0) {
    throw new VerifyOptionsError("invalid_number", `${name} has to be an integer of 0 or more`);
  }
  return given;
}
