/**
 * Side effects from a server's own annotations of its tools. They are hints of a server that may be wrong or may lie, so
 * nobody asks here unless the user said so, and a definition always wins.
 *
 * @module
 */
import type { SideEffect } from "../../attributes/registry.ts";

/** Tools remembered per client. */
const MAX_TOOLS = 10_000;

/** What a client's server hinted at, by tool. */
export class ToolHints {
  readonly #sideEffects = new Map<string, SideEffect>();

  /** Learns from the result of `tools/list`. */
  learn(result: unknown): void {
    const tools = (result as { tools?: unknown } | null | undefined)?.tools;
    if (!Array.isArray(tools)) return;
    for (const tool of tools.slice(0, MAX_TOOLS) as { name?: unknown; annotations?: unknown }[]) {
      const name = tool?.name;
      if (typeof name !== "string") continue;
      const sideEffect = sideEffectOf(tool.annotations);
      if (sideEffect === undefined) this.#sideEffects.delete(name);
      else if (this.#sideEffects.size < MAX_TOOLS) this.#sideEffects.set(name, sideEffect);
    }
  }

  of(name: string): SideEffect | undefined {
    return this.#sideEffects.get(name);
  }
}

// Only what is said counts: the protocol's defaults are nobody's words. `idempotentHint` is about repeating a call, not
// about what it can do. An addition in an open world may be a message that was sent, which cannot be undone.
function sideEffectOf(annotations: unknown): SideEffect | undefined {
  const { readOnlyHint, destructiveHint, openWorldHint } = (annotations ?? {}) as Record<string, unknown>;
  if (readOnlyHint === true) return destructiveHint === true ? undefined : "read";
  if (destructiveHint === true) return "irreversible";
  return destructiveHint === false && openWorldHint === false ? "write" : undefined;
}
