/**
 * How a walk stops: it throws a refusal, and its entry turns that into a `CanonicalizationError` with the path.
 * Everything else that arrives there was thrown by the value: by a getter, a proxy, `toJSON`.
 *
 * @module
 */
import type { CanonicalizationErrorCode } from "./canonicalization-error.ts";

/** Not an Error: no stack is recorded inside a walk, and nothing that a value can throw is one. */
export class Refusal {
  // Recognised by a private field: `instanceof` would run the code of a proxy that was thrown.
  readonly #code: CanonicalizationErrorCode;
  /** One of the fixed words for what is not JSON. */
  readonly kind: string | undefined;
  /** The element or member of the innermost open container, where that is not the one being read. */
  readonly index: number | undefined;

  constructor(code: CanonicalizationErrorCode, kind?: string, index?: number) {
    this.#code = code;
    this.kind = kind;
    this.index = index;
  }

  get code(): CanonicalizationErrorCode {
    return this.#code;
  }

  static is(thrown: unknown): thrown is Refusal {
    return typeof thrown === "object" && thrown !== null && #code in thrown;
  }
}

/** Stops the walk. */
export function refuse(code: CanonicalizationErrorCode, kind?: string, index?: number): never {
  throw new Refusal(code, kind, index);
}
