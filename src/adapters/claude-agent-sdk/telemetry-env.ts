/**
 * The environment in which the command line exports its spans to a relay.
 *
 * @module
 */

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment of a query (by default that of this process, as in the SDK), with native spans on and their exporter at
 * the relay. Metrics and logs go where they went before.
 */
export function exportTo(relayUrl: string, given: Environment | undefined): Environment {
  const inherited: Environment = given ?? globalThis.process?.env ?? {};
  return {
    ...inherited,
    CLAUDE_CODE_ENABLE_TELEMETRY: "1",
    CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: "1",
    OTEL_TRACES_EXPORTER: "otlp",
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${relayUrl}/v1/traces`,
  };
}
