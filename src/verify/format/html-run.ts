/**
 * One run as a waterfall: what was called when, with the labels beside it.
 *
 * @module
 */
import type { RunSummary, TreeSpan } from "../report.ts";
import { type Anchors, treeSpanName } from "./html-anchors.ts";
import type { MarksOn, SpanMark } from "./html-marks.ts";
import { html, type Markup } from "./html-markup.ts";
import { type SameCall, sameCalls } from "./html-same-calls.ts";
import { durationText, type Timeline, timelineOf } from "./html-timeline.ts";

// Deeper spans stay at this indentation, so that the name's column keeps its width.
const DEEPEST_INDENT = 8;

/** The run's section. */
export function runSection(run: RunSummary, anchors: Anchors, marksOn: MarksOn): Markup {
  const same = sameCalls(run.tree);
  const policies = run.tree.reduce((sum, span) => sum + span.policies, 0);
  const calls = `${run.toolCalls} tool call${run.toolCalls === 1 ? "" : "s"}`;
  return html`<section class="run">
<h3>${run.runId === undefined ? "Spans without a run id" : html`Run <code>${run.runId}</code>`}</h3>
<p class="facts">${exitChip(run)} <span class="chip">${calls}</span> ${policies > 0 && html`<span class="chip">${policies} ${policies === 1 ? "policy" : "policies"} bound</span>`} ${repeatedChips(same)}</p>
${treesOf(run.tree).map((tree) => waterfall(tree, same, anchors, (span) => marksOn(span, run)))}
${run.omitted > 0 && html`<p class="dim">${run.omitted} more spans of this run are not shown.</p>`}
</section>
`;
}

function exitChip({ exitReason }: RunSummary): Markup {
  if (exitReason === undefined) return html`<span class="chip warn">no exit reason</span>`;
  const kind = exitReason === "final_answer" ? "good" : exitReason === "error" ? "bad" : "warn";
  return html`<span class="chip ${kind}">${exitReason}</span>`;
}

function repeatedChips(same: ReadonlyMap<TreeSpan, SameCall>): Markup[] {
  const calls = new Map([...same].map(([span, call]) => [call, span]));
  return [...calls].map(
    ([{ letter, colour, times }, span]) =>
      html`<span class="chip same c${colour}"><b>${letter}</b> ${treeSpanName(span)} called ${times} times with the same arguments</span> `,
  );
}

// A run that was resumed has a tree for each part; each has a line of time of its own.
function treesOf(tree: readonly TreeSpan[]): TreeSpan[][] {
  const trees: TreeSpan[][] = [];
  for (const span of tree) {
    if (span.depth === 0 || trees.length === 0) trees.push([]);
    trees.at(-1)?.push(span);
  }
  return trees;
}

function waterfall(
  tree: readonly TreeSpan[],
  same: ReadonlyMap<TreeSpan, SameCall>,
  anchors: Anchors,
  marksOn: (span: TreeSpan) => readonly SpanMark[],
): Markup {
  const timeline = timelineOf(tree);
  return html`<div class="scroll"><table class="waterfall">
<thead><tr><th scope="col">Span</th>${timeline && html`<th scope="col" class="time"><span class="track">${ticks(timeline)}</span></th>`}<th scope="col">Labels</th></tr></thead>
<tbody>
${tree.map((span) => row(span, same.get(span), timeline, anchors, marksOn(span)))}</tbody>
</table></div>
`;
}

const ticks = (timeline: Timeline): Markup[] =>
  timeline.ticks.map(({ left, text }) => html`<span class="tick" style="left:${left}%">${text}</span>`);

function row(
  span: TreeSpan,
  same: SameCall | undefined,
  timeline: Timeline | undefined,
  anchors: Anchors,
  marks: readonly SpanMark[],
): Markup {
  const indent = Math.min(span.depth, DEEPEST_INDENT);
  const name = treeSpanName(span);
  return html`<tr id="${anchors.placeOf(span.span)}" class="${span.role}${emphasis(marks)}"><th scope="row"><span class="name" style="padding-left:${indent * 1.1}rem">${stepOf(span)}<b title="span ${span.span.spanId} of trace ${span.span.traceId}">${name}</b>${name !== span.span.name && html` <span class="dim">${span.span.name}</span>`}</span></th>${timeline && html`<td class="time">${bar(span, same, timeline)}</td>`}<td class="labels">${marks.map(markChip)}${labels(span, same)}</td></tr>
`;
}

function stepOf({ labels, role }: TreeSpan): Markup {
  const step = labels["trustabl.step_index"];
  if (step !== undefined) return html`<span class="step" title="trustabl.step_index">${step}</span>`;
  const text = { agent: "agent", tool: "tool", handoff: "handoff", no_call: "no call", other: "" }[role];
  return html`${text !== "" && html`<span class="role">${text}</span>`}`;
}

function bar(span: TreeSpan, same: SameCall | undefined, timeline: Timeline): Markup {
  const place = timeline.barOf(span);
  if (place === undefined) return html`<span class="dim">no times</span>`;
  const colour = same === undefined ? "" : ` same c${same.colour}`;
  const { durationMilliseconds: duration } = span;
  const text = duration === undefined ? "never ended" : durationText(duration);
  // The text stands where there is room: behind the bar, or before the end of one that goes far to the right.
  const side = place.left + place.width > 75 ? "inside" : "behind";
  return html`<span class="track"><span class="bar${colour}${span.failed && " failed"} ${side}" style="left:${place.left}%;width:${place.width}%"><span>${text}</span></span></span>`;
}

function labels({ labels, policies, failed }: TreeSpan, same: SameCall | undefined): Markup {
  const attempt = labels["trustabl.tool.attempt"];
  const sideEffect = labels["trustabl.tool.side_effect"];
  const errorClass = labels["trustabl.tool.error_class"];
  const input = labels["trustabl.tool.input_fp"];
  const output = labels["trustabl.tool.output_fp"];
  const exit = labels["trustabl.exit_reason"];
  const handoff = labels["trustabl.handoff_id"];
  return html`${same && html`<span class="chip same c${same.colour}"><b>${same.letter}</b></span> `}${
    attempt !== undefined &&
    html`<span class="chip${Number(attempt) > 1 && " strong"}">attempt ${attempt}</span> `
  }${sideEffect !== undefined && html`<span class="chip effect-${sideEffect}">${sideEffect}</span> `}${
    failed && html`<span class="chip bad">failed</span> `
  }${errorClass !== undefined && html`<span class="chip warn">${errorClass}</span> `}${
    exit !== undefined && html`<span class="chip">${exit}</span> `
  }${handoff !== undefined && html`<span class="chip">handoff ${handoff}</span> `}${
    policies > 0 && html`<span class="chip">${policies} ${policies === 1 ? "policy" : "policies"}</span> `
  }${(input !== undefined || output !== undefined) && html`<code class="fp" title="fingerprint of the arguments, and of the result">${input ?? "–"} → ${output ?? "–"}</code> `}${malformed(labels)}`;
}

const malformed = (labels: TreeSpan["labels"]): Markup[] =>
  Object.entries(labels)
    .filter(([, value]) => value === undefined)
    .map(([name]) => html`<span class="chip bad">${name} has the wrong form</span> `);

const markChip = ({ place, text, kind }: SpanMark): Markup =>
  html`<a class="chip ${kind}" href="#${place}">${text}</a> `;

function emphasis(marks: readonly SpanMark[]): string {
  const kinds = marks.filter(({ standsOut }) => standsOut).map(({ kind }) => kind);
  return kinds.length === 0 ? "" : ` marked ${kinds.includes("bad") ? "bad" : "warn"}`;
}
