/**
 * A run as a tree, for people.
 *
 * @module
 */
import { cleanText } from "../clean-text.ts";
import type { RunSummary, TreeSpan } from "../report.ts";
import type { Paint } from "./colours.ts";
import { countPhrase, shortId } from "./phrases.ts";

const NAME_WIDTH = 44;
const ID_LENGTH = 24;

/** The run's heading, and one line for each of its spans. */
export function treeText(run: RunSummary, paint: Paint): string[] {
  const [trace] = run.traceIds;
  const heading = [
    run.runId === undefined ? `trace ${shortId(trace ?? "")}` : `run ${cleanText(run.runId, ID_LENGTH)}`,
    countPhrase(run.toolCalls, "tool call"),
    run.exitReason === undefined ? "no exit reason" : cleanText(run.exitReason, ID_LENGTH),
    ...(run.traceIds.length > 1 ? [countPhrase(run.traceIds.length, "trace")] : []),
  ];
  const lines = [paint("bold", heading.join(" · ")), ...run.tree.map((span) => spanLine(span, paint))];
  if (run.omitted > 0) lines.push(paint("grey", `  … ${countPhrase(run.omitted, "more span")}`));
  return lines;
}

function spanLine(span: TreeSpan, paint: Paint): string {
  const indent = "  ".repeat(Math.min(span.depth, 12) + 1);
  const width = Math.max(12, NAME_WIDTH - indent.length);
  const name = cleanText(fullName(span), width) || "(no name)";
  const mark = span.failed ? paint("yellow", " (failed)") : "";
  const labels = labelWords(span);
  const gap = " ".repeat(Math.max(1, width - name.length - (span.failed ? 9 : 0) + 1));
  return labels === ""
    ? `${indent}${name}${mark}${span.role === "tool" ? `${gap}${paint("red", "no labels")}` : ""}`
    : `${indent}${name}${mark}${gap}${paint("grey", labels)}`;
}

// Many instrumentations give every call the same span name.
function fullName({ span: { name }, toolName }: TreeSpan): string {
  return toolName === undefined || name.includes(toolName) ? name : `${name} ${toolName}`;
}

// Labels in the order in which a reader asks for them; fingerprints are shortened.
function labelWords({ labels, policies }: TreeSpan): string {
  const words: string[] = [];
  const add = (
    name: string,
    word: string,
    shorten = (value: string) => cleanText(value, ID_LENGTH),
  ): void => {
    if (!Object.hasOwn(labels, name)) return;
    const value = labels[name];
    words.push(value === undefined ? `${word} ?` : `${word} ${shorten(String(value))}`);
  };
  add("trustabl.step_index", "step");
  add("trustabl.tool.attempt", "attempt");
  add("trustabl.tool.side_effect", "effect");
  add("trustabl.tool.error_class", "error");
  add("trustabl.tool.input_fp", "in", shortId);
  add("trustabl.tool.output_fp", "out", shortId);
  add("trustabl.handoff_id", "handoff");
  add("trustabl.exit_reason", "end");
  if (policies > 0) words.push(countPhrase(policies, "policy").replace(/policys$/, "policies"));
  if (words.length === 0) add("trustabl.run_id", "run");
  return words.join("  ");
}
