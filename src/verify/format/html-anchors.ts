/**
 * Places on the page that spans and findings are linked by. Ids of spans are other people's text, so places are
 * numbered.
 *
 * @module
 */
import type { Finding, Report, SpanReference, TreeSpan } from "../report.ts";

/** Where spans are shown, and what was found about them. */
export interface Anchors {
  /** The place of a span that is shown in a run. */
  placeOf(span: SpanReference): string | undefined;
  /** What a span is called on this page. */
  nameOf(span: SpanReference): string;
  /** Findings about a span. */
  findingsOn(span: SpanReference): readonly Finding[];
}

/** Numbers the spans of the report's runs. */
export function anchorsOf({ runs, checks }: Report): Anchors {
  const shown = new Map<string, { readonly place: string; readonly name: string }>();
  for (const span of runs.flatMap(({ tree }) => tree)) {
    const key = keyOf(span.span);
    if (!shown.has(key)) shown.set(key, { place: `span-${shown.size + 1}`, name: treeSpanName(span) });
  }
  const findings = new Map<string, Finding[]>();
  for (const finding of checks.flatMap((check) => check.findings)) {
    if (finding.span === undefined) continue;
    const key = keyOf(finding.span);
    findings.set(key, [...(findings.get(key) ?? []), finding]);
  }
  return {
    placeOf: (span) => shown.get(keyOf(span))?.place,
    nameOf: (span) => shown.get(keyOf(span))?.name ?? spanName(span),
    findingsOn: (span) => findings.get(keyOf(span)) ?? [],
  };
}

/** The tool's name where it is known: many instrumentations give every call the same span name. */
export const treeSpanName = ({ toolName, span }: TreeSpan): string => toolName ?? spanName(span);

const spanName = ({ name }: SpanReference): string => name || "(no name)";

const keyOf = ({ traceId, spanId }: SpanReference): string => `${traceId} ${spanId}`;
