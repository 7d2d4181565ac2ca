/**
 * A trail from its JSON text.
 *
 * @module
 */
import { shownName } from "../shown-name.ts";
import { EMPTY_TRAIL, MOST_ENTRIES, type Trail, type TrailEntry } from "./trail.ts";
import { TrailError } from "./trail-error.ts";

const LONGEST_TEXT = 4 * 1_048_576;

/**
 * The trail that this text holds. An empty text is where a trail begins. What cannot be used is an error and not an empty
 * trail: findings that had been repaired would come back as new ones.
 *
 * @throws {TrailError}
 *
 * @example
 * ```ts
 * import { readTrail, recordRepairs, reviewDefinitions } from "agent-reliability-otel-labels/contracts";
 *
 * declare const agent: object; // your agent, its tools, or its options
 * declare const text: string; // the file from last time; "" the first time
 *
 * const trail = readTrail(text);
 * const review = reviewDefinitions(agent, { trail });
 * const returned = review.findings.filter(({ status }) => status === "returned");
 * const next = JSON.stringify(recordRepairs(trail, review), undefined, 2);
 * ```
 */
export function readTrail(text: string): Trail {
  if (text.length > LONGEST_TEXT)
    throw new TrailError("too_large", "the trail is longer than 4 Mi characters");
  if (text.trim() === "") return EMPTY_TRAIL;
  const value = parsed(text);
  if (value.version !== 1) {
    throw new TrailError("unknown_version", "the trail is not of version 1, the one that is known here");
  }
  return { version: 1, open: entriesOf(value.open), repaired: entriesOf(value.repaired) };
}

function parsed(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The engine's message quotes the text.
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TrailError("not_json", "the trail is not one JSON object");
  }
  return value as Record<string, unknown>;
}

function entriesOf(value: unknown): TrailEntry[] {
  if (!Array.isArray(value)) throw new TrailError("invalid", "a list of the trail is missing");
  if (value.length > MOST_ENTRIES) {
    throw new TrailError("too_large", `a list of the trail has more than ${MOST_ENTRIES} entries`);
  }
  return value.map(entryOf);
}

function entryOf(value: unknown): TrailEntry {
  const { rule, fingerprint, subject } = (value ?? {}) as Record<string, unknown>;
  const isEntry =
    typeof rule === "string" &&
    /^[A-Z]{1,16}-\d{3}$/.test(rule) &&
    typeof fingerprint === "string" &&
    /^[0-9a-f]{16}$/.test(fingerprint) &&
    typeof subject === "string";
  if (!isEntry) throw new TrailError("invalid", "an entry of the trail has not the form of one");
  return { rule, fingerprint, subject: shownName(subject) };
}
