/**
 * The tree of a trace as people see it: agents, tool calls and labelled spans, the rest left out and counted.
 *
 * @module
 */
import { cleanText } from "../clean-text.ts";
import type { TreeSpan } from "../report.ts";
import type { SealedTrace } from "./sealed-trace.ts";
import type { NotableSpan } from "./span-record.ts";
import { referenceOf } from "./tally.ts";

/** A part of a trace that belongs to one run, or to none. */
export interface RunTree {
  readonly traceId: string;
  readonly runId: string | undefined;
  readonly start: number;
  readonly toolCalls: number;
  readonly exitReason: string | undefined;
  readonly tree: readonly TreeSpan[];
  readonly omitted: number;
}

const MAX_TREE = 200;
const TOOL_NAME_LENGTH = 80;

/**
 * The trees of a trace: one for each span that has nothing of interest above it.
 *
 * @param run when given, only trees of this run
 */
export function runTrees(trace: SealedTrace, run: string | undefined): RunTree[] {
  const children = new Map<NotableSpan | undefined, NotableSpan[]>();
  for (const span of trace.spans) {
    const above = trace.above(span).notable;
    const siblings = children.get(above);
    if (siblings === undefined) children.set(above, [span]);
    else siblings.push(span);
  }
  const calls = new Set(trace.calls.map(({ span }) => span));
  return (children.get(undefined) ?? [])
    .map((root) => treeBelow(root, trace, children, calls))
    .filter(({ runId }) => run === undefined || runId === run);
}

function treeBelow(
  root: NotableSpan,
  trace: SealedTrace,
  children: ReadonlyMap<NotableSpan | undefined, readonly NotableSpan[]>,
  calls: ReadonlySet<NotableSpan>,
): RunTree {
  const tree: TreeSpan[] = [];
  let runId: string | undefined;
  let exitReason: string | undefined;
  let toolCalls = 0;
  let seen = 0;
  const open: { readonly span: NotableSpan; readonly depth: number }[] = [{ span: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { span, depth } = next;
    seen += 1;
    if (calls.has(span)) toolCalls += 1;
    runId ??= trace.runIdOf(span);
    const reason = span.facts.labels?.["trustabl.exit_reason"];
    if (exitReason === undefined && typeof reason === "string") exitReason = reason;
    if (tree.length < MAX_TREE) tree.push(treeSpan(trace, span, depth, root.facts.start));
    for (const child of [...(children.get(span) ?? [])].reverse())
      open.push({ span: child, depth: depth + 1 });
  }
  return {
    traceId: trace.id,
    runId,
    start: root.facts.start,
    toolCalls,
    exitReason,
    tree,
    omitted: seen - tree.length,
  };
}

function treeSpan(trace: SealedTrace, span: NotableSpan, depth: number, treeStart: number): TreeSpan {
  const { role, toolName, labels, policies, start, end } = span.facts;
  return {
    span: referenceOf(trace.anchor(span)),
    depth,
    role: role ?? "other",
    toolName: toolName === undefined ? undefined : cleanText(toolName, TOOL_NAME_LENGTH),
    labels: Object.fromEntries(
      Object.entries(labels ?? {}).map(([name, value]) => [name, value ?? undefined]),
    ),
    policies,
    failed: trace.hasFailed(span),
    startMilliseconds: start > 0 && treeStart > 0 ? start - treeStart : undefined,
    durationMilliseconds: start > 0 && end !== undefined ? Math.max(0, end - start) : undefined,
  };
}
