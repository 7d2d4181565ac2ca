/**
 * A trail after one more review.
 *
 * @module
 */

import type { Review } from "../finding.ts";
import { fingerprintsOf } from "../fingerprints.ts";
import { keyOf, MOST_ENTRIES, type Trail, type TrailEntry } from "./trail.ts";

/**
 * The trail after this review: what was open and is gone counts as repaired, what was found is open. Of definitions that
 * this review did not look at, nothing is changed: that they were not looked at is no repair. Changes neither argument.
 */
export function recordRepairs(trail: Trail, review: Review): Trail {
  const looked = fingerprintsOf(review);
  const found = new Map(review.findings.map((finding) => [keyOf(finding), entryOf(finding)]));
  const gone = trail.open.filter((entry) => looked.has(keyOf(entry)) && !found.has(keyOf(entry)));
  const elsewhere = trail.open.filter((entry) => !looked.has(keyOf(entry)));
  // What is back is open again, and stays among the repaired: it is reported as returned until it is gone.
  const repaired = new Map([...trail.repaired, ...gone].map((entry) => [keyOf(entry), entry]));
  return {
    version: 1,
    open: [...elsewhere, ...found.values()].slice(-MOST_ENTRIES),
    repaired: [...repaired.values()].slice(-MOST_ENTRIES),
  };
}

const entryOf = ({ rule, fingerprint, subject }: TrailEntry): TrailEntry => ({ rule, fingerprint, subject });
