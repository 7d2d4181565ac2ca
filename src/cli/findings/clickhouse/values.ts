/**
 * Values in a server's answer, each of the kind that was asked for.
 *
 * @module
 */
import { notClickHouse } from "./clickhouse-error.ts";

/** A text. @throws {ClickHouseError} on anything else, as the others */
export function textOf(value: unknown): string {
  if (typeof value !== "string") throw notClickHouse();
  return value;
}

/** A count; ClickHouse writes those of 64 bits as texts or as numbers, by its settings. */
export function countOf(value: unknown): number {
  const count = typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value;
  if (typeof count !== "number" || !Number.isSafeInteger(count)) throw notClickHouse();
  return count;
}

/** A map. */
export function mapOf(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw notClickHouse();
  return value as Record<string, unknown>;
}

/** A list. */
export function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw notClickHouse();
  return value;
}
