/**
 * Numbers of OTLP JSON: 64-bit integers as a string, a number or `{low, high}`; times; counters; enums.
 *
 * @module
 */

const NANOSECONDS = /^[1-9]\d{18}$/;
const INTEGER = /^[+-]?\d{1,40}$/;

/** A 64-bit integer: a number where it is exact, otherwise a bigint. `undefined` for anything else. */
export function readInteger(value: unknown): number | bigint | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? value : undefined;
  if (typeof value === "bigint") return narrow(value);
  if (typeof value === "string") {
    if (!INTEGER.test(value)) return undefined;
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : BigInt(value);
  }
  if (typeof value === "object" && value !== null) {
    const { low, high } = value as { low?: unknown; high?: unknown };
    if (!Number.isInteger(low) || !Number.isInteger(high)) return undefined;
    return narrow((BigInt(high as number) << 32n) | BigInt((low as number) >>> 0));
  }
  return undefined;
}

const narrow = (value: bigint): number | bigint =>
  value >= -BigInt(Number.MAX_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : value;

/** A double. Exporters write `NaN` as `null` or as a text, since JSON has no such number. */
export function readDouble(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value === "string" && value !== "" && value.length <= 40) return Number(value);
  return Number.NaN;
}

/** A time in nanoseconds since 1970; `undefined` when it is missing, zero, negative or not a time. */
export function readTime(value: unknown): bigint | undefined {
  // The usual form first: this runs twice for every span.
  if (typeof value === "string" && NANOSECONDS.test(value)) return BigInt(value);
  const exact = readInteger(value);
  if (typeof exact === "bigint") return exact > 0n ? exact : undefined;
  // Some exporters write fractions or exponents.
  const number = exact ?? readDouble(value);
  return number > 0 && number < 1e21 ? BigInt(Math.trunc(number)) : undefined;
}

/** A counter; whatever is not a positive number counts as zero (some exporters write -1). */
export function readCounter(value: unknown): number {
  return Math.max(0, Number(readInteger(value) ?? 0));
}

/** The span's status from a number, a number as text, or a name with or without its prefix. */
export function readStatusCode(value: unknown): "unset" | "ok" | "error" {
  switch (typeof value === "string" ? value.replace(/^STATUS_CODE_/i, "").toUpperCase() : value) {
    case 1:
    case "1":
    case "OK":
      return "ok";
    case 2:
    case "2":
    case "ERROR":
      return "error";
    default:
      return "unset";
  }
}
