/**
 * What a recogniser makes of one foreign object.
 *
 * @module
 */
import type { InputSchema } from "../schema/input-schema.ts";
import { walk } from "../schema/walk.ts";
import type { Subject, ToolSubject } from "../subject.ts";

/** Something to look at next. */
export interface Inner {
  readonly value: unknown;
  readonly label: string;
  /** The label is what the model calls it, not only where it was found. */
  readonly isName: boolean;
}

/** What an object is, and what it leads to. */
export interface Found {
  readonly subjects: readonly Subject[];
  /** What has to be looked at too: an agent's tools, its handoffs. */
  readonly inner: readonly Inner[];
  /** Why something about it could not be judged; fixed sentences. */
  readonly skipped: readonly string[];
}

/** Where an object was found. */
export interface Place {
  readonly label: string;
  readonly isName: boolean;
}

/** What a recogniser reads of a tool. */
export interface ToolParts extends Omit<ToolSubject, "kind" | "input"> {
  readonly input: InputSchema | undefined;
}

/** A tool, and a word about an input that could not be read, or not wholly. */
export function foundTool({ input, ...tool }: ToolParts): Found {
  const walked = input && walk(input);
  return {
    subjects: [{ kind: "tool", ...tool, input: walked }],
    inner: [],
    skipped: [...(walked === undefined ? [UNREADABLE_INPUT] : []), ...(walked?.isCut ? [CUT_INPUT] : [])],
  };
}

const UNREADABLE_INPUT =
  "Its input could not be read as JSON Schema, so the rules about inputs were not applied.";
const CUT_INPUT = "Its input schema has more places than are looked at.";

/** What is recognised, and belongs to somebody else. */
export const notReviewed = (reason: string): Found => ({ subjects: [], inner: [], skipped: [reason] });

/** Elements of a list, each to be looked at. */
export const innerOf = (list: readonly unknown[] | undefined, label: string): Inner[] =>
  (list ?? []).map((value) => ({ value, label, isName: false }));

/** True for a description that says something: not blank, and not only the name again. */
export function saysSomething(description: string | undefined, name: string | undefined): boolean {
  const text = (description ?? "").replace(/[\s\u200b-\u200d\u2060\ufeff]+/g, " ").trim();
  return text !== "" && text !== name?.trim();
}
