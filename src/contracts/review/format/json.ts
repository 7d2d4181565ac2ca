/**
 * The review as one JSON document.
 *
 * @module
 */
import type { Review } from "../finding.ts";

/** Raised when a member changes its meaning or goes away; new members do not raise it. */
const JSON_VERSION = 1;

/** The review's own members, after a version. */
export const formatJson = (review: Review): string =>
  `${JSON.stringify({ version: JSON_VERSION, ...review }, undefined, 2)}\n`;
