/**
 * JSON pointers (RFC 6901): how places are named in errors, problems, changes and effects.
 *
 * @module
 */

/** The pointer one step below `pointer`. */
export function below(pointer: string, token: string | number): string {
  return `${pointer}/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The steps of a pointer, or `undefined` when it is none. */
export function tokensOf(pointer: string): readonly string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}
