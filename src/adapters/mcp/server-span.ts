/**
 * Which span a server may label: one that was made in its own process, for this call. In memory the active span is the
 * caller's, whatever it looks like; over a wire it is none, or a stand-in for the caller's that does not record.
 *
 * @module
 */
import { type Span, SpanKind, trace } from "@opentelemetry/api";
import { recogniseSpan } from "../../attributes/conventions.ts";
import { report } from "../../labels/diagnostics.ts";
import { factsOf, idsOf, isUsable } from "../../labels/span.ts";
import { hookCallback, type Transport } from "./hook.ts";
import { isLabelled } from "./outer-span.ts";

/** An instrumentation of clients, whatever kind its spans have. */
const CLIENT_SCOPE = "@traceloop/instrumentation-mcp";

/** The spans that were active when messages arrived: older than the handling of the message. */
export class Arrivals {
  #heard = false;
  readonly #fromMemory = new WeakSet<object>();
  readonly #fromWire = new WeakSet<object>();

  follow(transport: unknown): void {
    if (typeof transport !== "object" || transport === null) return;
    // The in-memory transport holds its other end. Another transport within the process is not recognised.
    const spans = "_otherTransport" in transport ? this.#fromMemory : this.#fromWire;
    hookCallback(transport as Transport, "onmessage", () => {
      this.#heard = true;
      const active = trace.getActiveSpan();
      if (active !== undefined) spans.add(active);
    });
  }

  /** True when the span was surely, or may have been, made by the caller. */
  mayBeCallers(span: Span): boolean {
    const { kind } = span as { readonly kind?: unknown };
    if (kind === SpanKind.CLIENT || kind === SpanKind.PRODUCER) return true;
    if (factsOf(span).scope === CLIENT_SCOPE || this.#fromMemory.has(span)) return true;
    // A server span around the transport is the server's; of another kind it may be anybody's.
    return kind !== SpanKind.SERVER && (!this.#heard || this.#fromWire.has(span));
  }
}

/** The active span, if it is the server's own for this call and nobody labelled it; otherwise says why not. */
export function serverSpan(name: string, arrivals: Arrivals): Span | undefined {
  const active = trace.getActiveSpan();
  if (active === undefined) return reportNone(name, "no span is active");
  if (idsOf(active)?.isRemote === true)
    return reportNone(name, "the active span is the caller's, in another process");
  if (!isUsable(active) || isLabelled(active)) return undefined;
  const recognised = recogniseSpan(factsOf(active));
  const shown = recognised?.toolName;
  if (recognised?.role !== "tool" || (shown !== undefined && shown !== name)) {
    return reportNone(name, "the active span is not recognisably this call's");
  }
  if (arrivals.mayBeCallers(active)) return reportNone(name, "the active span may be the caller's");
  return active;
}

function reportNone(tool: string, why: string): undefined {
  report(
    `mcp server: ${why}`,
    tool,
    () =>
      `a call of the tool "${tool}" was not labelled by its MCP server, which has no span of its own for it: ${why}`,
  );
  return undefined;
}
