/**
 * How fingerprints are made and whether they are written: what runs and tools are told, checked and made ready for calls.
 *
 * @module
 */
import { FingerprintKey } from "./fingerprint-key.ts";

/**
 * The fingerprints of a run. `"run"`: keyed with 32 random bytes that nobody gets to see, so that there is nothing to
 * guess, and equal values are equal within this run only. `{ key }`: keyed with a key of the deployment's, 32 bytes or
 * more, so that equal values are equal wherever the key is the same. A run's own `fingerprint` can be given too.
 */
export type RunFingerprint =
  | "run"
  | {
      /** 32 bytes or more, or the key of another run. */
      readonly key: Uint8Array | FingerprintKey;
    };

/**
 * The fingerprints of one tool. `"off"`: none is written; `{ args: "off" }` or `{ result: "off" }`: none of that side.
 * `{ key }`: keyed with this key, 32 bytes or more, instead of the run's.
 */
export type ToolFingerprint =
  | "off"
  | {
      /** The key, of 32 bytes or more, instead of the run's. Absent: as the run's fingerprints. */
      readonly key?: Uint8Array | FingerprintKey;
      /** `"off"`: no fingerprint of the arguments. */
      readonly args?: "off" | undefined;
      /** `"off"`: no fingerprint of the result. */
      readonly result?: "off" | undefined;
    };

/** {@link ToolFingerprint}, checked. */
export interface ToolFingerprintMode {
  /** `undefined`: the run's, if it has one. */
  readonly key: FingerprintKey | undefined;
  readonly hidesArgs: boolean;
  readonly hidesResult: boolean;
}

const SHOWN: ToolFingerprintMode = { key: undefined, hidesArgs: false, hidesResult: false };

/**
 * The key that a run's option asks for; `undefined` for unkeyed fingerprints.
 *
 * @throws TypeError or RangeError that names what is allowed, and never holds what was given
 */
export function prepareRunFingerprint(option: unknown): FingerprintKey | undefined {
  if (option === undefined || option === null) return undefined;
  if (option === "run") return new FingerprintKey(crypto.getRandomValues(new Uint8Array(32)));
  return membersOf(option, /^key$/, '"run" or { key }').key;
}

/** {@link prepareRunFingerprint} for what a tool's option asks for. */
export function prepareToolFingerprint(option: unknown): ToolFingerprintMode {
  if (option === undefined || option === null) return SHOWN;
  const sides = option === "off" ? { args: option, result: option } : option;
  const expected = '"off", or some of { args: "off", result: "off", key }';
  const { key, args, result } = membersOf(sides, /^(?:key|args|result)$/, expected);
  return { key, hidesArgs: args, hidesResult: result };
}

// A word that is misspelt would otherwise switch nothing off, and a key that is missing where one was meant would pass for
// none: without a word, what was to be kept would be written.
function membersOf(option: unknown, known: RegExp, expected: string) {
  const given = option as { readonly key?: unknown; readonly args?: unknown; readonly result?: unknown };
  const isOff = (side: unknown): boolean => side === "off" || (side !== undefined && refuse());
  const refuse = (): never => {
    throw new RangeError(`"fingerprint" expected ${expected}`);
  };
  const names = Object.keys(given);
  if (names.length === 0 || !names.every((name) => known.test(name))) refuse();
  return {
    key: names.includes("key") ? keyOf(given.key) : undefined,
    args: isOff(given.args),
    result: isOff(given.result),
  };
}

// A key of another installed copy of this package is taken as it is: what it computes is the same.
function keyOf(key: unknown): FingerprintKey {
  return typeof (key as FingerprintKey | null | undefined)?.hmacStream === "function"
    ? (key as FingerprintKey)
    : new FingerprintKey(key as Uint8Array);
}
