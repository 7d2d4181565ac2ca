/**
 * Places on the page that spans are linked by. Ids of spans are other people's text, so places are numbered.
 *
 * @module
 */
import type { RunSummary, SpanReference, TreeSpan } from "../report.ts";
import { html, type Markup } from "./html-markup.ts";

/** Where spans are shown. */
export interface Anchors {
  /** The place of a span that is shown in a run. */
  placeOf(span: SpanReference): string | undefined;
  /** A span by its name on this page and its id, linked to its place. */
  linkTo(span: SpanReference): Markup;
}

/** Numbers the spans of the runs. */
export function anchorsOf(runs: readonly RunSummary[]): Anchors {
  const shown = new Map<string, { readonly place: string; readonly name: string }>();
  for (const span of runs.flatMap(({ tree }) => tree)) {
    const key = spanKey(span.span);
    if (!shown.has(key)) shown.set(key, { place: `span-${shown.size + 1}`, name: treeSpanName(span) });
  }
  return {
    placeOf: (span) => shown.get(spanKey(span))?.place,
    linkTo: (span) => link(span, shown.get(spanKey(span))),
  };
}

function link(
  span: SpanReference,
  shown: { readonly place: string; readonly name: string } | undefined,
): Markup {
  const { spanId, source, line } = span;
  const where = source === undefined ? "" : `${source}${line === undefined ? "" : `:${line}`}`;
  const text = html`${shown?.name ?? spanName(span)} <code>${spanId}</code>`;
  return html`${shown === undefined ? text : html`<a href="#${shown.place}">${text}</a>`}${where !== "" && html` <span class="dim">${where}</span>`}`;
}

/** The tool's name where it is known: many instrumentations give every call the same span name. */
export const treeSpanName = ({ toolName, span }: TreeSpan): string => toolName ?? spanName(span);

const spanName = ({ name }: SpanReference): string => name || "(no name)";

/** The same for every mention of one span. */
export const spanKey = ({ traceId, spanId }: SpanReference): string => `${traceId} ${spanId}`;
