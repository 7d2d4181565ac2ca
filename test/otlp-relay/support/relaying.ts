/** Relays and endpoints for one test each: whatever was started is closed when the test is over. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach } from "vitest";
import type { OtlpRelayOptions, RelayedLabels, RelayLoss } from "../../../src/otlp-relay/index.ts";
import { startTunedRelay } from "../../../src/otlp-relay/relay.ts";
import type { RelayTuning } from "../../../src/otlp-relay/tuning.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

/** Closes it when the test is over. */
export function closing<Closable extends { close(): Promise<void> }>(one: Closable): Closable {
  open.push(one);
  return one;
}

/** Small numbers, so that no test waits long. */
export const QUICK: Partial<RelayTuning> = { firstMilliseconds: 20, longestMilliseconds: 50 };

export const labels = (attributes: RelayedLabels["attributes"]): RelayedLabels => ({
  attributes,
  events: [],
});

/** A relay that labels nothing unless told otherwise. */
export async function startRelay(options: Partial<OtlpRelayOptions>, tuning: Partial<RelayTuning> = {}) {
  const losses: RelayLoss[] = [];
  const relay = closing(
    await startTunedRelay(
      { labelsOf: () => undefined, onDropped: (loss) => losses.push(loss), ...options },
      { ...QUICK, closeMilliseconds: 300, ...tuning },
    ),
  );
  const post = (
    body: string | Uint8Array,
    headers: Record<string, string> = {},
    path = "/v1/traces",
  ): Promise<Response> =>
    fetch(`${relay.url}${path}`, {
      method: "POST",
      body: body as never,
      headers: { "content-type": "application/json", ...headers },
    });
  return { relay, losses, post };
}

/** An OTLP JSON export of spans that have what a span needs. */
export const exportOf = (...spans: object[]): string =>
  JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: spans.map(withIds) }] }] });

const withIds = (span: object, index: number): object => ({
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: `b7ad6b71692033${(index + 16).toString(16)}`,
  name: `span ${index}`,
  ...span,
});

/** A tool span with this call id. */
export const toolSpan = (id: string): object => ({
  name: "claude_code.tool",
  attributes: [{ key: "gen_ai.tool.call.id", value: { stringValue: id } }],
});

export async function until(condition: () => boolean): Promise<void> {
  const giveUp = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > giveUp) throw new Error("it did not happen");
    await sleep(5);
  }
}
