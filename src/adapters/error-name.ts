/**
 * What an error of a framework is called. Frameworks are not imported, so that their classes cannot be asked.
 *
 * @module
 */

/** The name of an error; `undefined` for what has none. */
export function errorNameOf(error: unknown): string | undefined {
  try {
    const { name } = error as { readonly name?: unknown };
    return typeof name === "string" ? name : undefined;
  } catch {
    return undefined;
  }
}
