/**
 * Where exports go, with which headers and certificates: from the options, and from OpenTelemetry's environment variables.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { validateHeaderName, validateHeaderValue } from "node:http";
import { pathOf, type Route } from "../../otlp-receiver/routes.ts";
import type { OtlpRelayOptions } from "../options.ts";
import { RelayError } from "../relay-error.ts";

/** The endpoint of one signal. */
export interface Target {
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Certificates and keys in PEM, where the environment names files of them. */
  readonly tls: Tls;
}

interface Tls {
  /** Certificates to trust, instead of those of Node.js. */
  readonly ca?: string;
  /** The relay's own, for endpoints that ask for one. */
  readonly cert?: string;
  readonly key?: string;
}

/** The endpoint of every signal that has one; traces always do. */
export type Targets = ReadonlyMap<Route, Target>;

type Environment = Readonly<Record<string, string | undefined>>;

const SIGNALS = ["traces", "metrics", "logs", "profiles"] as const satisfies readonly Route[];
const PREFIX = "OTEL_EXPORTER_OTLP";

/**
 * The endpoints.
 *
 * @throws {RelayError}
 */
export function targetsOf(options: OtlpRelayOptions, environment: Environment): Targets {
  const targets = new Map<Route, Target>();
  for (const signal of SIGNALS) {
    const url = urlOf(signal, options, environment);
    if (url === undefined) continue;
    const headers = headersOf(signal, options, environment);
    targets.set(signal, { url, headers, tls: url.protocol === "https:" ? tlsOf(signal, environment) : {} });
  }
  if (!targets.has("traces")) throw new RelayError("no_endpoint");
  return targets;
}

function urlOf(signal: Route, options: OtlpRelayOptions, environment: Environment): URL | undefined {
  if (signal === "traces" && options.tracesUrl !== undefined) return parsed(options.tracesUrl);
  if (options.endpoint !== undefined) return below(options.endpoint, signal);
  const exact = setting(environment, signal, "ENDPOINT", true);
  const base = setting(environment, signal, "ENDPOINT", false);
  if (exact === undefined && base === undefined) return undefined;
  if (
    (setting(environment, signal, "PROTOCOL", true) ?? setting(environment, signal, "PROTOCOL", false)) ===
    "grpc"
  ) {
    throw new RelayError("grpc_endpoint");
  }
  return exact === undefined ? below(base as string, signal) : parsed(exact);
}

// An empty variable counts as unset.
function setting(environment: Environment, signal: Route, name: string, own: boolean): string | undefined {
  return environment[`${PREFIX}_${own ? `${signal.toUpperCase()}_` : ""}${name}`]?.trim() || undefined;
}

const TLS_FILES = { ca: "CERTIFICATE", cert: "CLIENT_CERTIFICATE", key: "CLIENT_KEY" };

function tlsOf(signal: Route, environment: Environment): Tls {
  const files = Object.entries(TLS_FILES).map(([name, variable]) => [
    name,
    setting(environment, signal, variable, true) ?? setting(environment, signal, variable, false),
  ]);
  try {
    return Object.fromEntries(
      files.flatMap(([name, file]) => (file === undefined ? [] : [[name, readFileSync(file, "utf8")]])),
    );
  } catch {
    throw new RelayError("bad_certificate");
  }
}

function below(base: string, signal: Route): URL {
  const url = parsed(base);
  url.pathname = `${url.pathname.endsWith("/") ? url.pathname.slice(0, -1) : url.pathname}${pathOf(signal)}`;
  return url;
}

function parsed(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") throw new RelayError("bad_endpoint");
  url.hash = "";
  return url;
}

function headersOf(
  signal: Route,
  options: OtlpRelayOptions,
  environment: Environment,
): Record<string, string> {
  const given = options.headers ?? {
    ...listed(setting(environment, signal, "HEADERS", false)),
    ...listed(setting(environment, signal, "HEADERS", true)),
  };
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      // Its message holds the name, and a credential that was put in the wrong place is a name.
      throw new RelayError("bad_headers");
    }
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

// `key=value,key2=value2`, values percent-encoded, as in W3C Baggage.
function listed(text: string | undefined): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (const entry of text?.split(",") ?? []) {
    const equals = entry.indexOf("=");
    if (equals > 0) headers[entry.slice(0, equals).trim()] = decoded(entry.slice(equals + 1).trim());
  }
  return headers;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
