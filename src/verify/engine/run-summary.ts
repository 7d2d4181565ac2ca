/**
 * Runs as a report shows them: the parts of one run put together, in whatever traces they are.
 *
 * @module
 */
import type { RunSummary } from "../report.ts";
import type { RunTree } from "./run-tree.ts";

/**
 * The runs that these trees are parts of, in the order of their first.
 *
 * @param limit how many runs there may be
 */
export function summariesOf(trees: readonly RunTree[], limit: number): RunSummary[] {
  const runs = new Map<string, RunTree[]>();
  for (const tree of trees) {
    const key = tree.runId === undefined ? `trace ${tree.traceId}` : `run ${tree.runId}`;
    const known = runs.get(key);
    if (known !== undefined) known.push(tree);
    else if (runs.size < limit) runs.set(key, [tree]);
  }
  return [...runs.values()].map(summaryOf);
}

function summaryOf(trees: readonly RunTree[]): RunSummary {
  return {
    runId: trees[0]?.runId,
    traceIds: [...new Set(trees.map(({ traceId }) => traceId))],
    toolCalls: trees.reduce((sum, { toolCalls }) => sum + toolCalls, 0),
    exitReason: trees.findLast(({ exitReason }) => exitReason !== undefined)?.exitReason,
    tree: trees.flatMap(({ tree }) => tree),
    omitted: trees.reduce((sum, { omitted }) => sum + omitted, 0),
  };
}
