/**
 * A page that can be sent to somebody: everything is in the file, nothing is fetched, no script runs. The checks and the
 * rules of findings each give parts of one.
 *
 * @module
 */
import type { RunSummary } from "../report.ts";
import { type Anchors, anchorsOf } from "./html-anchors.ts";
import type { MarksOn } from "./html-marks.ts";
import { html, type Part } from "./html-markup.ts";
import { runSection } from "./html-run.ts";
import { STYLE } from "./html-style.ts";

/** What one report says on the page. */
export interface PageParts {
  /** A word or two for the title. */
  readonly title: string;
  /** Above everything else. */
  readonly banner: Part;
  /** Before the runs. */
  readonly found: (anchors: Anchors) => Part;
  readonly runs: readonly RunSummary[];
  /** Right after the runs. */
  readonly moreRuns: Part;
  /** At the end. */
  readonly holds: (anchors: Anchors) => Part;
  readonly marksOn: MarksOn;
}

// Belt and braces: should markup of somebody else ever get in, the browser still runs and fetches nothing.
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The document. */
export function htmlPage(heading: string, parts: readonly PageParts[]): string {
  const runs = distinctRuns(parts.flatMap((part) => part.runs));
  const anchors = anchorsOf(runs);
  const marksOn: MarksOn = (span, run) => parts.flatMap((part) => part.marksOn(span, run));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${parts.map(({ title }) => title).join(", ")}</title>
${STYLE}
</head>
<body>
<h1>${heading}</h1>
<main>
${parts.map(({ banner }) => banner)}
${parts.map(({ found }) => found(anchors))}
${
  runs.length > 0 &&
  html`<h2>Runs</h2>
${runs.map((run) => runSection(run, anchors, marksOn))}`
}
${parts.map(({ moreRuns }) => moreRuns)}
${parts.map(({ holds }) => holds(anchors))}
</main>
</body>
</html>
`.toString();
}

// Each report shows the runs that matter to it.
function distinctRuns(runs: readonly RunSummary[]): RunSummary[] {
  const distinct = new Map<string, RunSummary>();
  for (const run of runs) {
    const key = run.runId === undefined ? `trace ${run.traceIds.join(" ")}` : `run ${run.runId}`;
    if (!distinct.has(key)) distinct.set(key, run);
  }
  return [...distinct.values()];
}
