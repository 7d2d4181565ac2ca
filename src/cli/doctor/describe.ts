/**
 * Judgements as text for people.
 *
 * @module
 */
import { cleanText } from "../../verify/clean-text.ts";
import type { Style } from "../style.ts";
import type { Fault, Judgement } from "./judgement.ts";

const LONGEST_LINE = 400;

/** The faults with what to do about each, then one line of sum. */
export function describe(folder: string, judgements: readonly Judgement[], style: Style): string {
  const lines = [`${style.bold("otel-labels doctor")}  ${cleanText(folder, LONGEST_LINE)}`, ""];
  for (const { title, outcome, faults } of judgements) {
    if (outcome === "ok") lines.push(`${style.green("ok")}       ${title}`);
    if (outcome === "not-looked-at") lines.push(style.dim(`-        ${title}`));
    for (const fault of faults) lines.push(...describeFault(fault, style));
  }
  if (judgements.some(({ outcome }) => outcome === "not-looked-at")) {
    lines.push(
      "",
      style.dim("Lines with - need the application's set-up: --import ./telemetry.js (or --require)."),
    );
  }
  return `${[...lines, "", sum(judgements, style)].join("\n")}\n`;
}

function describeFault({ level, what, details = [], why, fix }: Fault, style: Style): string[] {
  const mark = level === "error" ? style.red("fault") : style.yellow("warning");
  const gap = level === "error" ? "    " : "  ";
  return [
    `${mark}${gap}${style.bold(cleanText(what, LONGEST_LINE))}`,
    ...details.map((detail) => `         ${style.dim(cleanText(detail, LONGEST_LINE))}`),
    `         ${cleanText(why, LONGEST_LINE)}`,
    `         To fix it: ${cleanText(fix, LONGEST_LINE)}`,
  ];
}

function sum(judgements: readonly Judgement[], style: Style): string {
  const faults = judgements.flatMap((judgement) => judgement.faults);
  const errors = faults.filter(({ level }) => level === "error").length;
  const warnings = faults.length - errors;
  if (faults.length === 0) {
    const partly = judgements.some(({ outcome }) => outcome === "not-looked-at");
    const where = partly ? " in the files and the environment" : "";
    return style.green(`Nothing was found${where} that would make labels vanish.`);
  }
  const parts = [
    ...(errors > 0 ? [`${errors} fault${errors === 1 ? "" : "s"}`] : []),
    ...(warnings > 0 ? [`${warnings} warning${warnings === 1 ? "" : "s"}`] : []),
  ];
  return style.bold(parts.join(", "));
}
