/**
 * Loads an optional package when a format that needs it is used, and never before.
 *
 * @module
 */
import { PolicyError } from "./policy-error.ts";

/**
 * @param load `() => import("name")`, written out at the call so that bundlers and types see the name
 * @throws PolicyError `dependency_missing`
 */
export async function loadOptional<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch {
    throw new PolicyError("dependency_missing", `Install ${name} to use this format.`);
  }
}
