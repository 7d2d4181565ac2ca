/**
 * What the process that loads a user's module is asked, and what it answers. Plain data: it goes from process to process.
 *
 * @module
 */
import type { Review, Trail } from "../../contracts/review/index.ts";

/** A message from process to process. `key` tells it from what the module itself may send or receive. */
export interface Envelope<Content> {
  readonly key: string;
  readonly content: Content;
}

/** What is asked of a module. */
export type Question =
  | { readonly ask: "review"; readonly path: string; readonly source: string; readonly trail: Trail }
  | { readonly ask: "registries"; readonly path: string };

/** A registry that a module exports, as its JSON. */
export interface ExportedRegistry {
  readonly name: string;
  readonly json: string;
}

/** What is answered. `code` is Node's and `name` the error's; its message may hold anything, and is not passed on. */
export type Answer =
  | { readonly review: Review }
  | { readonly registries: readonly ExportedRegistry[] }
  | { readonly failed: { readonly name: string; readonly code: string | undefined } };
