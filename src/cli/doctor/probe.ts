/**
 * Runs in a process of its own, behind the application's set-up, looks at what is registered, and sends it home.
 *
 * The application's globals are looked at without `@opentelemetry/api`: a copy of ours would be one more of the very
 * thing that is being looked for.
 *
 * @module
 */
import type { RunningFacts, SeenLimits } from "./facts.ts";

interface Context {
  setValue(key: symbol, value: unknown): Context;
  getValue(key: symbol): unknown;
}

interface ContextManager {
  active(): Context;
  with<Result>(context: Context, fn: () => Result): Result;
}

interface Span {
  isRecording(): boolean;
  setAttribute(name: string, value: string | number): unknown;
  addEvent(name: string, attributes: Record<string, number>): unknown;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly events?: readonly { readonly attributes?: object }[];
}

interface RegisteredApi {
  readonly version?: string;
  readonly trace?: { getTracer(name: string): { startSpan(name: string): Span } };
  readonly context?: ContextManager;
}

const NAME = "otel-labels doctor";

process.send?.(await look(), () => process.exit(0));

async function look(): Promise<RunningFacts> {
  const api = (globalThis as Record<symbol, RegisteredApi | undefined>)[Symbol.for("opentelemetry.js.api.1")];
  // Never ended: a span that does not end is not exported.
  const span = attempt(() => api?.trace?.getTracer(NAME).startSpan(NAME));
  return {
    apiVersion: api?.version,
    hasProvider: api?.trace !== undefined,
    records: attempt(() => span?.isRecording()) === true,
    contextManager: await contextSurvives(api?.context),
    limits: attempt(() => span && limitsOf(span)),
  };
}

async function contextSurvives(manager: ContextManager | undefined): Promise<RunningFacts["contextManager"]> {
  if (manager === undefined) return "missing";
  try {
    const key = Symbol(NAME);
    const seen = await manager.with(manager.active().setValue(key, true), async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return manager.active().getValue(key);
    });
    return seen === true ? "works" : "broken";
  } catch {
    return "broken";
  }
}

// What a span keeps is seen on the span: the limits themselves are private, and elsewhere in every SDK.
function limitsOf(span: Span): SeenLimits | undefined {
  span.setAttribute("text", "x".repeat(64));
  for (let index = 1; index < 64; index += 1) span.setAttribute(`number ${index}`, index);
  const eight = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`number ${index}`, index]));
  for (let index = 0; index < 16; index += 1) span.addEvent("event", eight);
  const { attributes, events } = span;
  if (typeof attributes !== "object" || !Array.isArray(events)) return undefined;
  const text: unknown = attributes.text;
  return {
    valueLength: typeof text === "string" ? text.length : 0,
    attributes: Object.keys(attributes).length,
    events: events.length,
    attributesOfEvent: Object.keys((events[0] as { attributes?: object } | undefined)?.attributes ?? {})
      .length,
  };
}

function attempt<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
