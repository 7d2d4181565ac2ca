/**
 * What is received where. Logs and metrics are taken, whatever the handler does with them: an SDK that is refused
 * would try again and again, and fill the log of the application that is being looked at.
 *
 * @module
 */

/** A signal that is accepted and ignored. */
export type IgnoredSignal = "logs" | "metrics" | "profiles";

/** What a path receives. */
export type Route = "traces" | IgnoredSignal;

const ROUTES: Readonly<Record<string, Route | undefined>> = {
  __proto__: null as never,
  "/v1/traces": "traces",
  "/v1/logs": "logs",
  "/v1/metrics": "metrics",
  "/v1development/profiles": "profiles",
};

/** The route of a request's target, or `undefined`. `prefix` stands before every path, such as `/a1b2`. */
export function routeOf(target: string | undefined, prefix: string): Route | undefined {
  const path = target?.split("?", 1)[0] ?? "";
  return path.startsWith(prefix) ? ROUTES[path.slice(prefix.length)] : undefined;
}

/** The path of a signal. */
export function pathOf(signal: Route): string {
  return Object.keys(ROUTES).find((path) => ROUTES[path] === signal) as string;
}
