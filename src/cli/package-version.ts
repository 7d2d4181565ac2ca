/**
 * The version of this package, from its package.json.
 *
 * @module
 */
import { readFileSync } from "node:fs";

/** Such as `1.2.3`. */
export function packageVersion(): string {
  const file = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
