/**
 * Whether this package's copy of `@opentelemetry/api` sees what another copy registered. Copies of one minor version do; a
 * newer one does not see what an older one registered, and works with tracing that does nothing.
 *
 * @module
 */
import { type Context, context, createContextKey } from "@opentelemetry/api";

/** What a program registered with OpenTelemetry's API. */
interface RegisteredApi {
  readonly version?: unknown;
  readonly diag?: unknown;
  readonly context?: { active(): Context; with<Result>(given: Context, fn: () => Result): Result };
}

/** Where OpenTelemetry's API keeps its globals: the protocol by which all copies of API 1.x find each other. */
export function registeredApi(): RegisteredApi | undefined {
  return (globalThis as Record<symbol, RegisteredApi | undefined>)[Symbol.for("opentelemetry.js.api.1")];
}

const PROBE = createContextKey("agent-reliability-otel-labels.probe");

/**
 * What to say where no context is active that should be: another copy registered a context manager that ours does not ask.
 * It is tried out, since no copy tells its own version. Never throws.
 *
 * @returns `undefined` when that is not the fault
 */
export function unseenRegistration(): string | undefined {
  try {
    const registered = registeredApi();
    const manager = registered?.context;
    if (registered === undefined || manager === undefined) return undefined;
    const probe = context.active().setValue(PROBE, true);
    const [there, here] = manager.with(probe, () =>
      [manager.active(), context.active()].map((active) => active.getValue(PROBE) === true),
    );
    // A manager that makes nothing active is another fault.
    if (!there || here) return undefined;
    const version = /^\d+\.\d+\.\d+$/.test(String(registered.version)) ? ` ${registered.version}` : "";
    return `@opentelemetry/api${version} registered the tracing, and this package has another copy of it that does not see that: see npx otel-labels doctor`;
  } catch {
    return undefined;
  }
}
