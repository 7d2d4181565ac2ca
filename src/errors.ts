/**
 * The errors of this package: one base class with a stable `code`, so that programs branch on the code and
 * never on a message.
 *
 * No error of this package holds an argument, a result, a property name or a file's content, in its message,
 * in its fields or as its `cause`.
 *
 * @module
 */

// A brand instead of `instanceof`: two installed copies of this package have two classes, one brand.
const brand = Symbol.for("agent-reliability-otel-labels.error");

/** What every error of this package is. `code` is stable across releases; the message is for people. */
export class TrustablError<Code extends string = string> extends Error {
  /** Stable, documented name of what went wrong. */
  readonly code: Code;

  /** For subclasses. Neither text may hold an argument, a result, a property name or a file's content. */
  constructor(code: Code, message: string) {
    super(message);
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
  }

  /** True for an error of this package, also one that another installed copy of it made. */
  static isInstance(value: unknown): value is TrustablError {
    try {
      return (
        typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[brand] === true
      );
    } catch {
      return false;
    }
  }
}

// On the prototype, and not enumerable: a name that is an own member is printed twice by `util.inspect`.
Object.defineProperty(TrustablError.prototype, "name", {
  value: "TrustablError",
  configurable: true,
  writable: true,
});
