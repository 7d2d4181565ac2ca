/**
 * Labels for calls of an agent's other agents. Mastra makes these tools itself, so there is nothing to wrap; its delegation
 * hooks run inside them, where their span is the active one.
 *
 * @module
 */
import { trace } from "@opentelemetry/api";
import { report } from "../../labels/diagnostics.ts";
import type { CallObserver } from "../../tool/observe-result.ts";
import { beginToolCall } from "../../tool/tool-call.ts";
import { type PreparedTool, prepareTool, type ToolDefinition } from "../../tool/tool-definition.ts";
import { spanOfDelegation } from "./tool-span.ts";

/** What is declared about an agent that is called as a tool. Its result is the text that the calling model gets. */
export type MastraDelegateDefinition = Pick<
  ToolDefinition<(args: unknown) => string>,
  "sideEffect" | "errorClass" | "isEmpty" | "volatileKeys" | "fingerprint" | "run"
>;

/** Mastra's `delegation` option, as far as its hooks go. */
export interface DelegationHooks {
  /**
   * Called before a delegated agent runs. An answer with `proceed: false` keeps it from running: the call is labelled as
   * failed.
   */
  // biome-ignore lint/suspicious/noExplicitAny: Mastra's own types of what the hooks are told and answer
  readonly onDelegationStart?: ((started: any) => any) | undefined;
  /** Called when it has ended. A `resultText` in the answer is what the calling model gets, and what is fingerprinted. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly onDelegationComplete?: ((completed: any) => any) | undefined;
}

/** The option with hooks that label. */
export type LabelledDelegation<Hooks extends DelegationHooks> = Omit<Hooks, keyof DelegationHooks> & {
  readonly [Hook in keyof DelegationHooks]-?: NonNullable<DelegationHooks[Hook]>;
};

interface Started {
  readonly primitiveId?: unknown;
  readonly primitiveType?: unknown;
  readonly prompt?: unknown;
  readonly params?: object;
  readonly toolCallId?: unknown;
}
/** What a hook may answer: another text for the calling model. */
interface Completion {
  readonly resultText?: unknown;
}
interface Completed {
  readonly result?: { readonly text?: unknown };
  readonly error?: unknown;
}

/**
 * Mastra's `delegation` option, with hooks that label the calls of the agents in an agent's `agents`. The fingerprinted
 * arguments are the prompt and the parameters that the model gave; the result is the text that the calling model gets, since
 * the rest of it holds ids that Mastra makes up for each call.
 *
 * The delegated agent's own span is marked by a `ToolSpanTracker`.
 *
 * @param definitions by the name of the tool that Mastra makes: `agent-` and the agent's key
 * @param hooks the option as it would be otherwise; its hooks are called as before
 * @throws TypeError or RangeError on a wrong definition
 * @example
 * ```ts
 * import { labelDelegation } from "agent-reliability-otel-labels/mastra";
 *
 * const delegation = labelDelegation({ "agent-researcher": { sideEffect: "read" } });
 * // agent.generate(prompt, { delegation })
 * ```
 */
export function labelDelegation<Hooks extends DelegationHooks = DelegationHooks>(
  definitions: Readonly<Record<string, MastraDelegateDefinition>> = {},
  hooks: Hooks = {} as Hooks,
): LabelledDelegation<Hooks> {
  const prepared = new Map(
    Object.entries(definitions).map(([name, definition]) => [name, prepareDelegate(name, definition)]),
  );
  /** By the call's span, which is the active one in both hooks. */
  const open = new WeakMap<object, CallObserver>();
  const takeOpen = () => {
    const span = trace.getActiveSpan();
    if (span === undefined) return undefined;
    const observer = open.get(span);
    open.delete(span);
    return observer;
  };
  return {
    ...hooks,
    onDelegationStart: async (started: Started) => {
      safely(() => {
        const { span, observer } = begin(prepared, started);
        if (observer !== undefined) open.set(span, observer);
      });
      const answer = (await hooks.onDelegationStart?.(started)) as { proceed?: unknown } | undefined;
      // Mastra answers in the agent's place and calls no further hook.
      if (answer?.proceed === false) takeOpen()?.failed(undefined);
      return answer;
    },
    onDelegationComplete: async (completed: Completed) => {
      const observer = takeOpen();
      const end = (answer: Completion | undefined) =>
        safely(() => {
          const { error, result } = completed;
          if (error !== undefined) observer?.failed(error);
          else observer?.returned(typeof answer?.resultText === "string" ? answer.resultText : result?.text);
        });
      try {
        const answer = (await hooks.onDelegationComplete?.(completed)) as Completion | undefined;
        end(answer);
        return answer;
      } catch (error) {
        end(undefined);
        throw error;
      }
    },
  };
}

function begin(prepared: ReadonlyMap<string, PreparedTool>, started: Started) {
  if (started.primitiveType !== "agent") return { span: started, observer: undefined };
  const { span, name = `agent-${String(started.primitiveId)}` } = spanOfDelegation();
  const tool = { ...(prepared.get(name) ?? prepareDelegate(name, {})), span };
  const observer = beginToolCall(tool, [argumentsOf(started), { toolCallId: started.toolCallId }]);
  return { span, observer };
}

function argumentsOf({ prompt, params = {} }: Started): object {
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  return { prompt, ...Object.fromEntries(given) };
}

function prepareDelegate(name: string, definition: MastraDelegateDefinition): PreparedTool {
  return { ...prepareTool({ ...definition, name } as ToolDefinition<never>), nameIsExact: true };
}

// A hook that throws is recorded as an error of the run, or ends it.
function safely(hook: () => void): void {
  try {
    hook();
  } catch {
    report("mastra hook", "", () => "a delegation hook failed; the labels of that call may be missing");
  }
}
