/**
 * The span tracker: a span processor that knows which tool spans are live, so that labels can reach a span that is not
 * the current one.
 *
 * @module
 */
export { withHandoff } from "./handoff.ts";
export { ToolSpanTracker, type TrackedSpan } from "./tool-span-tracker.ts";
