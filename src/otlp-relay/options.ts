/**
 * What a relay is told, and what it is once it runs.
 *
 * @module
 */
import type { RelayedLabels, RelayedSpan } from "./relayed-span.ts";

/**
 * Spans that did not reach the endpoint.
 * - `refused`: the endpoint did not take them, and OTLP says not to try again
 * - `closed`: they were still waiting when the relay was closed
 * - `queue_full`: the relay did not take them. Their sender was told to keep them and to try again, so they may
 *   still arrive; each try counts
 */
export interface RelayLoss {
  /** How many spans of one export were lost. */
  readonly spans: number;
  /** Why they did not arrive. Only those of `queue_full` may do so later. */
  readonly reason: "queue_full" | "refused" | "closed";
}

/** Options of `startOtlpRelay`. */
export interface OtlpRelayOptions {
  /**
   * Where to forward to: a base URL, as in `OTEL_EXPORTER_OTLP_ENDPOINT`. `/v1/traces`, `/v1/metrics` and `/v1/logs` are
   * appended. Default: that variable.
   */
  readonly endpoint?: string | undefined;
  /** Where to forward traces to, exactly. Default: `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, then `endpoint`. */
  readonly tracesUrl?: string | undefined;
  /** Sent with every export. Default: `OTEL_EXPORTER_OTLP_HEADERS` and, for its signal, `OTEL_EXPORTER_OTLP_TRACES_HEADERS`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default 127.0.0.1. Another address lets other machines send. */
  readonly host?: string | undefined;
  /**
   * Default 0: a free one, and a path that cannot be guessed, so that only who is told `url` can send. With a port of your
   * own the path is plain, and every program that reaches the port can send.
   */
  readonly port?: number | undefined;
  /**
   * What to add to a span. Asked once when the span arrives. After `"wait"` it is asked again whenever `settled()` was
   * called, and a last time (`last` is true, and `"wait"` means nothing) when the span has waited long enough. Must not
   * throw: a throw means no labels, and is reported.
   *
   * A sender that did not hear the answer sends its export again: the same span may be asked for twice, and has to get
   * the same labels.
   */
  readonly labelsOf: (span: RelayedSpan, last: boolean) => RelayedLabels | undefined | "wait";
  /** How long a span may wait for its labels. Default 5,000. */
  readonly holdMilliseconds?: number | undefined;
  /** Bytes of exports that wait, for labels or for the endpoint. Default 64 MiB. Over it, senders are told to try later. */
  readonly maxQueuedBytes?: number | undefined;
  /** Told about every loss. May be called at any time, also while `close()` runs. */
  readonly onDropped?: ((loss: RelayLoss) => void) | undefined;
}

/** A relay that is listening. */
export interface OtlpRelay {
  /** What `OTEL_EXPORTER_OTLP_ENDPOINT` of the sender has to be, such as `http://127.0.0.1:41234/0f4c…`. */
  readonly url: string;
  /** The port that it listens on; the one that was free where the option said 0. */
  readonly port: number;
  /** Labels were decided: asks again for the spans that wait. */
  settled(): void;
  /** Resolves when all that was taken in by now has left, or after 30 seconds. Spans that wait are waited for. */
  forceFlush(): Promise<void>;
  /**
   * Stops taking, asks a last time for the spans that wait, and sends what there is for at most 5 seconds. What is left
   * then is told to `onDropped`. Can be called more than once.
   */
  close(): Promise<void>;
}
