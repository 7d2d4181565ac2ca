/**
 * What `diag` is told of a call whose labels are left out.
 *
 * @module
 */
import { report } from "../labels/diagnostics.ts";
import { unseenRegistration } from "../labels/registered-api.ts";
import type { LocatedToolSpan } from "./find-tool-span.ts";

export function reportNoSpan(tool: string, located: LocatedToolSpan & { readonly span: undefined }): void {
  // Tracing that is off, or a run that is not sampled, is no loss.
  if (located.reason === "not_recording") return;
  const why = () =>
    located.reason === "no_active_span"
      ? (unseenRegistration() ?? "no span is active")
      : "the active span is not recognisably this call's";
  report(
    "no span",
    tool,
    () => `no tool span was found for a call of the tool "${tool}", so it was not labelled: ${why()}`,
  );
}

export function reportNoRun(tool: string): void {
  report(
    "no run",
    tool,
    () =>
      `the tool "${tool}" was called outside a run: its run id, step and attempt were left out; wrap the agent's run in withRun()`,
  );
}

export function reportBeginFailed(tool: string): void {
  report("begin", tool, () => `a call of the tool "${tool}" was not labelled: labelling it failed`);
}

export function reportEndFailed(tool: string): void {
  report("end", tool, () => `a call of the tool "${tool}" was not fully labelled: labelling it failed`);
}

export function reportUnobservable(tool: string): void {
  report(
    "unobservable",
    tool,
    () =>
      `a call of the tool "${tool}" returned a frozen promise or stream, so what is known at the end was left out`,
  );
}

export function reportEnded(tool: string): void {
  report(
    "ended",
    tool,
    () =>
      `the span of a call of the tool "${tool}" ended before the call did: what is known at the end was left out`,
  );
}
