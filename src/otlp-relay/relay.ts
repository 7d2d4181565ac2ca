/**
 * The relay: a receiver in front, endpoints behind, and labels in between.
 *
 * @module
 */
import { randomBytes, randomUUID } from "node:crypto";
import { report } from "../labels/diagnostics.ts";
import { type OtlpReceiver, startOtlpReceiver } from "../otlp-receiver/index.ts";
import { createMemoryBudgets } from "../otlp-receiver/memory-budget.ts";
import { Forwarder } from "./forward/forwarder.ts";
import { connectionsTo } from "./forward/post.ts";
import { type Targets, targetsOf } from "./forward/target.ts";
import { LabelDecisions } from "./label-decisions.ts";
import { leadsBack } from "./loop.ts";
import type { OtlpRelay, OtlpRelayOptions } from "./options.ts";
import { Passage } from "./passage.ts";
import { RelayError } from "./relay-error.ts";
import { DEFAULT_TUNING, type RelayTuning } from "./tuning.ts";

const DEFAULT_HOLD_MILLISECONDS = 5_000;
const DEFAULT_MAX_QUEUED_BYTES = 64 * 1024 * 1024;
// The longest that a timer of Node.js can wait.
const MAX_HOLD_MILLISECONDS = 2 ** 31 - 1;

/**
 * Starts a relay on this machine. Every export is forwarded in the encoding that it came in, with nothing changed but
 * the labels that were added.
 *
 * @example
 * ```ts
 * import { startOtlpRelay } from "agent-reliability-otel-labels/otlp-relay";
 *
 * const relay = await startOtlpRelay({
 *   endpoint: "https://otlp.example.com",
 *   labelsOf: ({ attributes }) =>
 *     attributes["gen_ai.operation.name"] === "execute_tool"
 *       ? { attributes: { "trustabl.tool.side_effect": "read" }, events: [] }
 *       : undefined,
 * });
 * // Start the agent with OTEL_EXPORTER_OTLP_ENDPOINT set to relay.url, and when it is done:
 * await relay.close();
 * ```
 *
 * @throws {RelayError} when it does not know where to forward to, or an option is wrong
 * @throws {ReceiverError} when it cannot listen
 */
export function startOtlpRelay(options: OtlpRelayOptions): Promise<OtlpRelay> {
  return startTunedRelay(options, {});
}

/** For tests: as {@link startOtlpRelay}, with other numbers. */
export async function startTunedRelay(
  options: OtlpRelayOptions,
  tuned: Partial<RelayTuning>,
): Promise<OtlpRelay> {
  const tuning = { ...DEFAULT_TUNING, ...tuned };
  const {
    host = "127.0.0.1",
    port = 0,
    holdMilliseconds = DEFAULT_HOLD_MILLISECONDS,
    maxQueuedBytes = DEFAULT_MAX_QUEUED_BYTES,
  } = options;
  // Each call of what is none would cost a span its labels, and nobody would know why.
  if (typeof options.labelsOf !== "function") throw new RelayError("bad_option");
  checkNumber(holdMilliseconds, 0, MAX_HOLD_MILLISECONDS);
  checkNumber(maxQueuedBytes, 1, Number.MAX_SAFE_INTEGER);
  const targets = targetsOf(options, process.env);
  const decisions = new LabelDecisions(options.labelsOf, holdMilliseconds, tuning.maxWaitingSpans);
  const passage = new Passage({
    decisions,
    forwarders: forwardersTo(targets, tuning),
    newShare: createMemoryBudgets(maxQueuedBytes),
    id: randomUUID(),
    onDropped: options.onDropped,
  });
  const receiver = await startOtlpReceiver({
    host,
    port,
    // Other programs of this machine can connect, but only who was told the URL can send. A port of the caller's own is there
    // to be written into a configuration, which a secret of this start could not be.
    pathPrefix: port === 0 ? `/${randomBytes(16).toString("hex")}` : "",
    onTraces: (request, received) => passage.takeTraces(request, received),
    onIgnored: (signal, received) => passage.takeOther(signal, received),
    onRefused: ({ code, message }) =>
      report("relay-not-taken", code, () => `the relay did not take an export: ${message}`),
    limits: {
      // A body that never fits into the queue must not be asked for again and again.
      maxBodyBytes: Math.min(tuning.maxBodyBytes, maxQueuedBytes),
      maxConnections: tuning.maxConnections,
    },
  });
  await refuseLoop(targets, host, receiver);
  let closed: Promise<void> | undefined;
  return {
    url: receiver.url,
    port: receiver.port,
    settled: () => decisions.settled(),
    forceFlush: () => passage.flush(tuning.flushMilliseconds),
    close: () => {
      closed ??= receiver.close().then(() => passage.close(tuning.closeMilliseconds));
      return closed;
    },
  };
}

function checkNumber(value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most) throw new RelayError("bad_option");
}

function forwardersTo(targets: Targets, tuning: RelayTuning) {
  return new Map(
    [...targets].map(([signal, target]) => [
      signal,
      new Forwarder(connectionsTo(target, { ...tuning, maxSockets: tuning.atOnce }), tuning),
    ]),
  );
}

async function refuseLoop(targets: Targets, host: string, receiver: OtlpReceiver): Promise<void> {
  for (const { url } of targets.values()) {
    if (await leadsBack(url, host, receiver.port)) {
      await receiver.close();
      throw new RelayError("loop");
    }
  }
}
