/**
 * Whether a number is a multiple of another as both are written in decimal. The remainder of two binary fractions, and the
 * quotient too, say that 0.3 is no multiple of 0.1, which nobody who wrote `multipleOf: 0.01` for a price means.
 *
 * @module
 */

/** True when `value` is a whole number of times `divisor`, which is above 0. Both are finite. */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const [one, other] = [decimalOf(value), decimalOf(divisor)];
  const exponent = Math.min(one.exponent, other.exponent);
  return (
    (one.digits * 10n ** BigInt(one.exponent - exponent)) %
      (other.digits * 10n ** BigInt(other.exponent - exponent)) ===
    0n
  );
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

// The shortest decimal that is this number, which is how it was written or is shown: at most 17 digits.
function decimalOf(number: number): Decimal {
  const [, whole = "", fraction = "", exponent = "0"] = /^-?([0-9]+)(?:\.([0-9]+))?(?:e([+-][0-9]+))?$/.exec(
    String(number),
  )!;
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
