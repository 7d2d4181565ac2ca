/**
 * What the framework itself recorded of a call's arguments and result, and how near that is to what the tool
 * function got and gave. The verifier recomputes fingerprints from it; none of it ever reaches a report.
 *
 * @module
 */
import { CAPTURED_CONTENT } from "../../attributes/captured-content.ts";
import type { Convention } from "../../attributes/conventions.ts";
import { parseJson } from "../json-data.ts";
import type { AttributeBag } from "../span-view.ts";

/** Captured content of one side of a call. */
export interface Captured {
  /** JSON text, other text, or a structured value. */
  readonly content: unknown;
  /** What the JSON text stands for, or the structured value; `undefined` for other text. */
  readonly value: unknown;
  /**
   * True when what was captured is what the tool function got or gave, so that another fingerprint is wrong. False
   * when the framework records something near it: arguments before defaults were filled in, a result inside a
   * message, an answer that it sent in the result's place.
   */
  readonly exact: boolean;
}

type Side = "arguments" | "result";

// Where the captured content is exact. AI SDK 7 writes the general convention, under a scope of its own.
function isExact(convention: Convention, scope: string | undefined, side: Side): boolean {
  if (convention.id === "ai-sdk") return true;
  if (convention.id === "gen_ai") return scope === "gen_ai";
  // Strict schemas have no defaults, so what the model sent is what the function got. The result is not exact: a
  // guardrail or a timeout answers in its place.
  return scope === "@arizeai/openinference-instrumentation-openai-agents" && side === "arguments";
}

// What frameworks write when capturing is off.
const PLACEHOLDERS = new Set(["__REDACTED__", "[REDACTED]", "<redacted>", "N/A", ""]);

/** What was captured of one side of a call; `undefined` when nothing was. */
export function capturedOf(
  attributes: AttributeBag,
  convention: Convention,
  scope: string | undefined,
  side: Side,
): Captured | undefined {
  for (const name of CAPTURED_CONTENT[convention.id][side]) {
    const content = attributes[name];
    if (content === undefined || content === null) continue;
    if (typeof content === "string" && PLACEHOLDERS.has(content)) continue;
    // ADK writes an empty object when capturing is off.
    if (name.startsWith("gcp.") && content === "{}") continue;
    const value = typeof content === "string" ? parseJson(content) : content;
    return { content, value, exact: isExact(convention, scope, side) };
  }
  return undefined;
}
