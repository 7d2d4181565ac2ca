/**
 * One `tools/call` of a client. It is seen twice: where it is asked for, outside the instrumentation, and where it is sent,
 * inside; only there its span is the active one.
 *
 * @module
 */
import { report } from "../../labels/diagnostics.ts";
import { findToolSpan } from "../../tool/find-tool-span.ts";
import type { CallObserver } from "../../tool/observe-result.ts";
import type { SharedCall } from "../../tool/shared-call.ts";
import { beginToolCall } from "../../tool/tool-call.ts";
import type { PreparedTool } from "../../tool/tool-definition.ts";
import { resultOf } from "./definition.ts";
import { type Aborting, cancellation, rejection } from "./failure.ts";
import { isLabelled, isLabelledAround, isOfFunction } from "./outer-span.ts";
import { isUnfinished, reportUnfinished } from "./unfinished.ts";

/** The call, which is also its place in the context. */
export class ClientCall implements SharedCall {
  begun: SharedCall["begun"];
  takenOver = false;
  /** Whether the call is labelled on a span around it. */
  covered: boolean;
  readonly client: object;
  readonly #name: string;
  readonly #signal: Aborting | undefined;
  #state: "asked" | "sent" | "ended" = "asked";
  #observer: CallObserver | undefined;
  #isOfFunction = false;

  /** Made where the call is asked for. */
  constructor(client: object, name: string, signal: Aborting | undefined) {
    this.client = client;
    this.#name = name;
    this.#signal = signal;
    this.covered = isLabelledAround(name);
  }

  /**
   * Called where the call is sent. A call that is sent again, with the input that its server asked for, is the same call.
   *
   * @returns whether the end of the call is waited for
   */
  send(tool: (name: string) => PreparedTool, args: unknown): boolean {
    if (this.covered || this.#state === "ended") return false;
    if (this.#state === "sent") return this.#observer !== undefined;
    this.#state = "sent";
    const span = findToolSpan({ name: this.#name });
    // Found by somebody who knows the framework, or of the framework's first request for the same call.
    this.covered = span !== undefined && isLabelled(span);
    if (this.covered) return false;
    // A call without arguments is another call than one with an empty object: servers may refuse the one and not the other.
    this.#observer = beginToolCall({ ...tool(this.#name), span }, [args ?? null]);
    this.#isOfFunction = span !== undefined && isOfFunction(span);
    return this.#observer !== undefined;
  }

  /** The server answered. */
  answered(result: unknown): void {
    if (isUnfinished(result)) return;
    this.#end((observer) => observer.returned(resultOf(result)));
  }

  /** The server answered with an error, or the transport failed. */
  failed(error: unknown): void {
    this.#end((observer) => observer.failed(error));
  }

  /** The client does not wait any longer. */
  cancelled(): void {
    this.failed(cancellation(this.#signal));
  }

  /** What became of the request, if that was not seen before. */
  readonly settled: CallObserver = {
    returned: () => this.#end(() => reportUnfinished(this.#name)),
    failed: (error) => this.failed(rejection(error, this.#signal)),
    unobservable: () => {},
  };

  #end(how: (observer: CallObserver) => void): void {
    if (this.#state !== "sent") return;
    this.#state = "ended";
    // Whoever took the call over, inside a server in this process, labels its end.
    if (this.#observer === undefined || this.takenOver) return;
    if (this.#isOfFunction) reportFunction(this.#name);
    else how(this.#observer);
  }
}

function reportFunction(tool: string): void {
  report(
    "mcp function",
    tool,
    () =>
      `a call of the tool "${tool}" has only the span of a function of the agent's framework, which may return something else: what is known at its end was left out; label that function instead`,
  );
}
