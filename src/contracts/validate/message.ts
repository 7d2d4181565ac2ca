/**
 * Problems as the text that the model reads.
 *
 * @module
 */
import { MAX_PROBLEMS } from "../bounds.ts";
import { tokensOf } from "../json-pointer.ts";
import type { Problem, Refused } from "../validation.ts";

/** A refusal for these problems. */
export function refused(problems: readonly Problem[]): Refused {
  const told = problems.slice(0, MAX_PROBLEMS);
  return { ok: false, problems: told, message: `Refused, nothing was run. ${told.map(sentence).join("; ")}` };
}

/** One problem in words, without its place. */
export function expectation({ keyword, expected }: Problem): string {
  return keyword === "required" ? `required, expected ${expected}` : `expected ${expected}`;
}

function sentence(problem: Problem): string {
  const place = SUBJECTS[problem.keyword] ?? placeOf(problem.path);
  return `${place}: ${expectation(problem)}`;
}

/** Problems that are about no place in the arguments. */
const SUBJECTS: Readonly<Record<string, string>> = { tool: "tool", confirm: "confirmation" };

/** `/lines/0/count` as `lines[0].count`. */
function placeOf(path: string): string {
  const tokens = tokensOf(path) ?? [];
  if (tokens.length === 0) return "arguments";
  return tokens
    .map((token) => (/^[0-9]+$/.test(token) ? `[${token}]` : `.${token}`))
    .join("")
    .replace(/^\./, "");
}
