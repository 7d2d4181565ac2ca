import type { Question } from "../judgement.ts";

/** The run and the active span travel in the context. */
export const contextManager: Question = {
  id: "context-manager",
  title: "A context manager is registered, and the context survives an await",
  needsRunning: true,
  ask({ running }) {
    if (running === undefined || running.contextManager === "works") return [];
    const missing = running.contextManager === "missing";
    return [
      {
        level: "error",
        what: missing ? "No context manager is registered." : "The context is lost behind an await.",
        why: "Tools then see neither their span nor their run: they are not labelled, or without run, step and attempt.",
        fix: "Use NodeTracerProvider and its register(), or context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()).",
      },
    ];
  },
};
