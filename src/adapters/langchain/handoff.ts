/**
 * An agent that a tool calls is a delegated agent. Its run stands below the tool's run, and its span is found as every
 * other run's is.
 *
 * @module
 */
import { report } from "../../labels/diagnostics.ts";
import { markHandoff } from "../../labels/run-span.ts";
import type { LabelSpan } from "../../labels/span.ts";
import { knownHandlers, type RunManager, runIdOf, spanOfRun, waitFor } from "./run-span.ts";

/** LangChain's callback manager, as far as it is used. */
interface CallbackManager {
  addHandler(handler: object, inherit: boolean): void;
}

/** The run manager for the tool's function: as it was, and what runs below is watched for agents. Never throws. */
export function delegatingManager(manager: RunManager | undefined): RunManager | undefined {
  const [handler] = knownHandlers(manager);
  const toolRunId = runIdOf(manager);
  if (handler === undefined || toolRunId === undefined) return manager;
  if (typeof manager?.getChild !== "function") return manager;
  return Object.create(manager, {
    getChild: {
      value: (tag?: string) => {
        const child = manager.getChild?.(tag);
        watch(child, handler, toolRunId);
        return child;
      },
    },
  }) as RunManager;
}

function watch(child: unknown, handler: object, toolRunId: string): void {
  try {
    (child as CallbackManager).addHandler(watcher(handler, toolRunId), true);
  } catch {
    // A manager of another shape: the delegated agent stays without its label.
  }
}

/** Runs between the tool and the agent that are followed: the tool may call the agent through a chain. */
const MAX_BETWEEN = 100;

function watcher(handler: object, toolRunId: string): object {
  const above = new Set<unknown>([toolRunId]);
  return {
    name: "agent-reliability-otel-labels",
    ignoreLLM: true,
    ignoreAgent: true,
    ignoreRetriever: true,
    // In step with the handler that makes the spans, and behind it.
    awaitHandlers: (handler as { awaitHandlers?: unknown }).awaitHandlers,
    // Where the parent's id stands among the parameters differs between versions of LangChain.
    handleChainStart: async (chain: unknown, _inputs: unknown, runId: unknown, ...about: unknown[]) => {
      if (typeof runId !== "string" || !about.some((value) => above.has(value))) return;
      if (!isGraph(chain)) {
        if (above.size <= MAX_BETWEEN) above.add(runId);
        return;
      }
      mark(await waitFor(() => spanOfRun(handler, runId)), runId);
    },
  };
}

// LangChain's run id is a UUID of this one run, but for one that the application chose, which can be any text.
function mark(span: LabelSpan | undefined, runId: string): void {
  try {
    if (span !== undefined) {
      markHandoff(span, runId);
      return;
    }
  } catch {
    // Said below.
  }
  report(
    "langchain handoff",
    "",
    () => "trustabl.handoff_id was left out: a delegated agent's span was not found, or its run id is no id",
  );
}

// What LangChain says of a runnable that it starts; all its agents are LangGraph's compiled graphs. The metadata is no
// help: everything below an agent inherits it.
function isGraph(chain: unknown): boolean {
  const id = (chain as { id?: unknown } | null | undefined)?.id;
  return Array.isArray(id) && id[0] === "langgraph" && id[1] === "pregel";
}
