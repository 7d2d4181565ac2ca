/**
 * A context manager for the tests, without which no tool finds its run: the application's where one is registered,
 * otherwise one that is shared by all recordings and taken away with the last of them.
 *
 * @module
 */
import { type ContextManager, context, createContextKey, ROOT_CONTEXT } from "@opentelemetry/api";
import { TestingError } from "../testing-error.ts";
import { newContextManager } from "./opentelemetry-sdk.ts";
import { processState, registeredGlobal } from "./process-state.ts";

const PROBE = createContextKey("agent-reliability-otel-labels.testing.probe");

/**
 * Makes sure that there is a context manager.
 *
 * @returns gives it up; call it once
 * @throws TestingError `context_manager_missing`, `api_mismatch`
 */
export function acquireContextManager(): () => void {
  const state = processState();
  if (state.contextManager === undefined) {
    if (contextWorks()) return () => {};
    const manager = newContextManager();
    context.setGlobalContextManager(manager as ContextManager);
    if (!contextWorks()) {
      throw new TestingError("api_mismatch", "Have one copy only: see npm ls @opentelemetry/api.");
    }
    state.contextManager = { manager, users: 0 };
  }
  const shared = state.contextManager;
  shared.users += 1;
  return () => {
    shared.users -= 1;
    if (shared.users > 0 || state.contextManager !== shared) return;
    state.contextManager = undefined;
    if (registeredGlobal("context") === shared.manager) context.disable();
  };
}

function contextWorks(): boolean {
  const probe = ROOT_CONTEXT.setValue(PROBE, true);
  return context.with(probe, () => context.active() === probe);
}
