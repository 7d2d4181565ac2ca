/**
 * The review for people.
 *
 * @module
 */
import { type Finding, isSevere, type Review, SEVERITIES } from "../finding.ts";
import { placesText } from "./places-text.ts";

const ESCAPE = "\u001b[";

/** The review for people: a paragraph for each finding, what was not judged, and a last line that says it all. */
export function formatText(review: Review, color: boolean): string {
  const paint = (code: number, text: string) => (color ? `${ESCAPE}${code}m${text}${ESCAPE}0m` : text);
  const lines = review.findings.flatMap((finding) => [...findingLines(finding, paint), ""]);
  for (const { subject, reason } of review.skipped)
    lines.push(paint(90, `not judged  ${subject}: ${reason}`));
  if (review.skipped.length > 0) lines.push("");
  lines.push(lastLine(review, paint));
  return `${lines.join("\n")}\n`;
}

type Paint = (code: number, text: string) => string;

function findingLines(finding: Finding, paint: Paint): string[] {
  const { rule, severity, confidence, scope, subject, title, found, directive } = finding;
  const places = placesText(finding);
  const head = `${severity.padEnd(8)}  ${rule}  ${scope} ${subject}: ${title}`;
  return [
    `${paint(isSevere(finding) ? 31 : 33, head)} ${paint(90, `(confidence ${confidence.toFixed(2)})`)}`,
    `          ${found}`,
    ...(places === "" ? [] : [`          at ${places}`]),
    ...statusLines(finding),
    `          ${HOW[finding.action]} ${directive}`,
  ];
}

const HOW: Readonly<Record<Finding["action"], string>> = {
  "change-and-name-the-rule": "Change it, and say that this rule asked for it:",
  "apply-the-directive": "Apply:",
};

function statusLines({ status }: Finding): string[] {
  if (status === "returned") return ["          It had been repaired, and is back."];
  return status === "open"
    ? ["          It was there in the review before: what was done did not clear it."]
    : [];
}

function lastLine({ findings, examined }: Review, paint: Paint): string {
  if (examined.length === 0) return paint(33, "nothing was recognised as a tool or an agent");
  const what = `${countOf(examined, "tool")}, ${countOf(examined, "agent")}`;
  if (findings.length === 0) return paint(32, `no findings (${what})`);
  const counts = SEVERITIES.map((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? undefined : `${count} ${severity}`;
  });
  return paint(findings.some(isSevere) ? 31 : 33, `${counts.filter(Boolean).join(", ")} (${what})`);
}

function countOf(examined: Review["examined"], scope: string): string {
  const count = examined.filter((one) => one.scope === scope).length;
  return `${count} ${scope}${count === 1 ? "" : "s"}`;
}
