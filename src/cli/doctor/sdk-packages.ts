/**
 * The packages of OpenTelemetry's SDK for traces, and which of them heed the variables that limit spans.
 *
 * @module
 */
import type { InstalledFacts } from "./facts.ts";

/** Whatever makes spans that record depends on one of these; `sdk-trace-node` and others are built on them. */
export const SDK_PACKAGES = [
  "@opentelemetry/sdk-node",
  "@opentelemetry/sdk-trace-base",
  "@opentelemetry/sdk-trace",
] as const;

/** From this version on `@opentelemetry/sdk-trace` knows only the limits that it is given in code. */
const FIRST_WITHOUT_VARIABLES = 3;

/** True when at least one of the packages is there. */
export const hasSdk = ({ packages }: InstalledFacts): boolean =>
  SDK_PACKAGES.some((name) => packages[name] !== undefined);

/**
 * Whether limits in the environment count: `perhaps` where a provider may be made by either kind of SDK. An SDK that is not
 * known here is taken to follow the specification, which has the variables.
 */
export function heedsLimitVariables({ packages }: InstalledFacts): "yes" | "perhaps" | "no" {
  const trace = packages["@opentelemetry/sdk-trace"];
  if (trace === undefined || Number(trace.version.split(".")[0]) < FIRST_WITHOUT_VARIABLES) return "yes";
  const { "@opentelemetry/sdk-node": node, "@opentelemetry/sdk-trace-base": base } = packages;
  return node === undefined && base === undefined ? "no" : "perhaps";
}
