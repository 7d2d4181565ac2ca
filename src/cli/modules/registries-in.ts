/**
 * The contract registries among a module's exports.
 *
 * @module
 */
import type { ExportedRegistry } from "./answer.ts";

/** Every export that is a registry, as `defineTools` gives it, also of another copy of this package. */
export function registriesIn(exported: object): ExportedRegistry[] {
  const found = new Map<unknown, ExportedRegistry>();
  for (const [name, value] of Object.entries(exported)) {
    if (isRegistry(value) && !found.has(value)) found.set(value, { name, json: JSON.stringify(value) });
  }
  return [...found.values()];
}

function isRegistry(value: unknown): boolean {
  try {
    if (typeof value !== "object" || value === null) return false;
    const contracts = Object.values(value);
    return contracts.length > 0 && contracts.every(isContract);
  } catch {
    return false;
  }
}

const isContract = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  "input" in value &&
  "jsonSchema" in value &&
  typeof value.jsonSchema === "function";
