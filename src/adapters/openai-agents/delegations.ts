/**
 * Which agents were delegated to: by a handoff, or as a tool of another agent.
 *
 * @module
 */
import type { SdkSpan } from "./sdk-span.ts";

/** Handoffs that no agent has followed yet, and agents that are known. */
const MAX_KEPT = 1000;

/** Remembers handoffs until the agent starts that they lead to. */
export class Delegations {
  readonly #handoffs = new Map<string, SdkSpan>();
  readonly #agents = new Set<string>();

  /** Whether an agent is awaited. */
  get isAwaiting(): boolean {
    return this.#handoffs.size > 0;
  }

  /** A handoff begins: `spans` is where, outwards. Which agent it leads to is known when it ends. */
  begin(spans: readonly SdkSpan[]): void {
    const [handoff, ...around] = spans;
    const from = around.find(({ spanData }) => spanData.type === "agent");
    if (handoff === undefined || from === undefined) return;
    this.#handoffs.set(placeOf(from), handoff);
    if (this.#handoffs.size > MAX_KEPT) dropOldest(this.#handoffs);
  }

  /**
   * An agent has started: `spans` is where, outwards. `isCall` knows the ids of tool calls that run.
   *
   * @returns the delegation's id; `undefined` when the agent was started by the application, or is known already
   */
  start(
    spans: readonly SdkSpan[],
    isNamed: (name: unknown) => boolean,
    isCall: (spanId: string) => boolean,
  ): string | undefined {
    const index = spans.findIndex(({ spanData }) => spanData.type === "agent");
    const agent = spans[index];
    if (agent === undefined || !isNamed(agent.spanData.name) || this.#agents.has(agent.spanId))
      return undefined;
    this.#agents.add(agent.spanId);
    if (this.#agents.size > MAX_KEPT) dropOldest(this.#agents);
    const handoff = this.#handoffs.get(placeOf(agent));
    if (handoff?.spanData.to_agent === agent.spanData.name) {
      this.#handoffs.delete(placeOf(agent));
      return handoff?.spanId;
    }
    // Below a tool call: the agent is that tool.
    const call = spans.slice(index + 1).find(({ spanData }) => spanData.type === "function");
    if (call !== undefined) return call.spanId;
    // Where an agent that is a tool goes on after an approval, the SDK starts anew and knows the call as a parent only.
    const parentId = spans.at(-1)?.parentId;
    return typeof parentId === "string" && isCall(parentId) ? parentId : undefined;
  }

  clear(): void {
    this.#handoffs.clear();
    this.#agents.clear();
  }
}

// The agents of one run are siblings, and one works at a time.
const placeOf = ({ traceId, parentId }: SdkSpan): string => `${String(traceId)} ${String(parentId)}`;

function dropOldest(kept: Map<string, unknown> | Set<string>): void {
  const [oldest] = kept.keys();
  if (oldest !== undefined) kept.delete(oldest);
}
