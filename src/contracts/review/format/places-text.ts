/**
 * Where in a tool's input schema a finding is, in words.
 *
 * @module
 */
import type { Finding } from "../finding.ts";

/** The places in one line; empty where there are none. */
export function placesText({ places, morePlaces }: Pick<Finding, "places" | "morePlaces">): string {
  const more = morePlaces > 0 ? ` and ${morePlaces} more` : "";
  return `${places.map((place) => place || "the whole input").join(", ")}${more}`;
}
