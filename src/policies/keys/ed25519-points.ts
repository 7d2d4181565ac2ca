/**
 * Ed25519 public keys that must not be trusted.
 *
 * Eight points of the curve have an order of eight or less. With such a point as the key, one constant signature
 * fits every message. RFC 8032 leaves the check to its users; Node.js 20 does not make it, 24 does.
 *
 * @module
 */

const FIELD = 2n ** 255n - 19n;

const ORDER_EIGHT_Y = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;

// The y coordinates of the eight points: two points share one where x is not zero. The tests find them anew.
const SMALL_ORDER_Y: ReadonlySet<bigint> = new Set([
  0n,
  1n,
  FIELD - 1n,
  ORDER_EIGHT_Y,
  FIELD - ORDER_EIGHT_Y,
]);

/** True for a point of small order, and for any encoding of a coordinate that is not below the field's prime. */
export function isWeakEd25519Key(raw: Uint8Array): boolean {
  const bigEndian = Buffer.from(raw).reverse();
  const y = BigInt(`0x${bigEndian.toString("hex") || "0"}`) & (2n ** 255n - 1n);
  return raw.length !== 32 || y >= FIELD || SMALL_ORDER_Y.has(y);
}
