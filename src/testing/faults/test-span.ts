/**
 * A span that is made to be broken: it has all that a live span of an SDK has, and no SDK behind it that would suffer.
 *
 * @module
 */
import type { Attributes, Span, SpanContext, SpanStatus } from "@opentelemetry/api";

/** A recording span that keeps what is written on it. */
export class TestSpan implements Span {
  readonly name: string;
  readonly attributes: Record<string, unknown>;
  readonly events: { readonly name: string; readonly attributes: object }[] = [];
  status: SpanStatus = { code: 0 };
  #ended = false;
  readonly #ids: SpanContext = { traceId: randomHex(16), spanId: randomHex(8), traceFlags: 1 };

  constructor(name: string, attributes: Attributes) {
    this.name = name;
    this.attributes = { ...attributes };
  }

  spanContext(): SpanContext {
    return this.#ids;
  }

  isRecording(): boolean {
    return !this.#ended;
  }

  setAttribute(name: string, value: unknown): this {
    if (!this.#ended) this.attributes[name] = value;
    return this;
  }

  setAttributes(attributes: Attributes): this {
    for (const [name, value] of Object.entries(attributes)) this.setAttribute(name, value);
    return this;
  }

  addEvent(name: string, attributes?: unknown): this {
    if (!this.#ended) this.events.push({ name, attributes: Object(attributes) as object });
    return this;
  }

  addLink(): this {
    return this;
  }

  addLinks(): this {
    return this;
  }

  setStatus(status: SpanStatus): this {
    this.status = status;
    return this;
  }

  updateName(): this {
    return this;
  }

  recordException(): void {}

  end(): void {
    this.#ended = true;
  }
}

/** The span of one tool call, as a framework of the GenAI conventions makes it. It shows no tool's name. */
export const newToolSpan = (): TestSpan =>
  new TestSpan("execute_tool", { "gen_ai.operation.name": "execute_tool" });

/** The root span of an agent's run. */
export const newAgentSpan = (): TestSpan =>
  new TestSpan("invoke_agent", { "gen_ai.operation.name": "invoke_agent" });

function randomHex(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("hex");
}
