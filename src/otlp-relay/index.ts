/**
 * A relay for OTLP/HTTP exports that adds labels on the way: for agents whose spans are made in another process, where
 * no span can be reached while it lives. Runs on Node.js.
 *
 * @module
 */
export type { OtlpRelay, OtlpRelayOptions, RelayLoss } from "./options.ts";
export { startOtlpRelay } from "./relay.ts";
export { RelayError, type RelayErrorCode } from "./relay-error.ts";
export type {
  RelayedAttributes,
  RelayedEvent,
  RelayedLabels,
  RelayedSpan,
  RelayedValue,
} from "./relayed-span.ts";
