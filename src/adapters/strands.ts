/**
 * Strands Agents 1, which makes the spans itself: a tool's is the active one in its `stream`, and shows the call id. Nothing
 * of Strands is imported, not even a type.
 *
 * @module
 */
export { exitReasonOf, type StrandsRunResult } from "./strands/exit-reason.ts";
export { guardedTool, type StrandsGuardedTool } from "./strands/guarded-tool.ts";
export { labelTools, type StrandsToolDefinition } from "./strands/label-tools.ts";
export {
  mediatedTool,
  requireReview,
  type StrandsCallEvent,
  type StrandsReviewOptions,
} from "./strands/mediated-tool.ts";
