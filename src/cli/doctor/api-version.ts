/**
 * How copies of `@opentelemetry/api` get along. The copy that registers first leaves its version in a global; every
 * other copy compares, and where it does not like what it sees it works with tracing that does nothing.
 *
 * @module
 */

interface Version {
  readonly major: number;
  readonly minor: number;
}

/** `undefined` for what is no version. */
function parseVersion(text: string): Version | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)(?:-.+)?$/.exec(text);
  if (match === null) return undefined;
  return { major: Number(match[1]), minor: Number(match[2]) };
}

/** True when a copy sees what another copy registered: the same major version, and not a newer minor one. */
export function sees(copy: string, registered: string): boolean {
  const [own, other] = [parseVersion(copy), parseVersion(registered)];
  if (own === undefined || other === undefined) return copy === registered;
  return own.major === other.major && own.minor <= other.minor;
}

/** True when all of these see what any other of them registered. */
export function seeEachOther(versions: readonly string[]): boolean {
  return versions.every((copy) => versions.every((registered) => sees(copy, registered)));
}
