/**
 * One call that is seen twice: by a hook of the framework around the tool, and by the wrapper inside it. The hook puts a
 * place for the call into the context; what begins first leaves its labels there, and what begins second takes the call
 * over, so that the call is counted once and its end is labelled once.
 *
 * The wrapper wins because its definition stands beside the tool. To let the hook win was rejected: what the wrapper
 * declares would be lost without a word.
 *
 * @module
 */
import { type Context, createContextKey } from "@opentelemetry/api";
import type { LabelSpan } from "../labels/span.ts";
import type { ToolStartLabels } from "../labels/tool-span.ts";
import { toolSpanSources } from "./tool-span-source.ts";

/** What was begun: which call it was, and what was written. */
interface BegunCall {
  readonly callId: string | undefined;
  readonly span: LabelSpan | undefined;
  readonly labels: ToolStartLabels;
}

/** The place of a call that may begin twice. */
export interface SharedCall {
  begun: BegunCall | undefined;
  /** Somebody else labels the end of this call. */
  takenOver: boolean;
}

// The API makes the same key for the same description, so two installed copies of this package meet here.
const SHARED_CALL = createContextKey("agent-reliability-otel-labels.shared-call");

/** A place for one call. */
export function newSharedCall(): SharedCall {
  return { begun: undefined, takenOver: false };
}

/** The context with the place in it. */
export function contextWithSharedCall(parent: Context, shared: SharedCall): Context {
  return parent.setValue(SHARED_CALL, shared);
}

/** The place in a context, if one was put there. */
export function sharedCallOf(from: Context): SharedCall | undefined {
  return from.getValue(SHARED_CALL) as SharedCall | undefined;
}

/**
 * The labels of the call if it was begun before, which is then taken over.
 *
 * The span has to be the same as well as the id: models number their calls as they like, and the tools of a nested agent
 * inherit the context.
 */
export function takeOverCall(
  from: Context,
  name: string,
  callId: string | undefined,
  span: LabelSpan | undefined,
): ToolStartLabels | undefined {
  const shared = sharedCallOf(from);
  const begun = shared?.begun;
  if (shared === undefined || begun === undefined || shared.takenOver) return undefined;
  // A hook that knows no id of the model's, such as a server's, has the name instead.
  const isSame = begun.callId === callId || (begun.callId === undefined && begun.labels.name === name);
  if (!isSame || begun.span !== span) return undefined;
  shared.takenOver = true;
  return begun.labels;
}

/**
 * The span of a call that a hook has begun, for a wrapper that has no other way to it: some frameworks never make a tool's
 * span the active one, and only the hook knows where it is. The name has to be the same as well as the id, for the reason
 * above.
 */
export function spanOfBegunCall(
  from: Context,
  name: string,
  callId: string | undefined,
): LabelSpan | undefined {
  const shared = sharedCallOf(from);
  const begun = shared?.begun;
  if (shared?.takenOver !== false || begun === undefined) return undefined;
  return begun.callId === callId && begun.labels.name === name ? begun.span : undefined;
}

/**
 * {@link takeOverCall} for hooks that only look on and so cannot put a place into the context: a source keeps it. That source
 * knows which call the running code is in, so there is nothing to compare.
 */
export function takeOverKeptCall(toolName: string): ToolStartLabels | undefined {
  for (const source of toolSpanSources()) {
    const shared = source.sharedCall?.(toolName);
    if (shared?.begun === undefined || shared.takenOver) continue;
    shared.takenOver = true;
    return shared.begun.labels;
  }
  return undefined;
}

/** Leaves the labels of a call that begins, where its context has a place for them. */
export function leaveCall(from: Context, begun: BegunCall): void {
  const shared = sharedCallOf(from);
  if (shared !== undefined) shared.begun ??= begun;
}
