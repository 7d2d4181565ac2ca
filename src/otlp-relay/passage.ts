/**
 * The way of an export through the relay: taken in, labelled, packed, forwarded, and counted when it is lost.
 *
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { report } from "../labels/diagnostics.ts";
import {
  type IgnoredSignal,
  type Received,
  Refusal,
  type Route,
  type TraceRequest,
} from "../otlp-receiver/index.ts";
import type { MemoryBudget } from "../otlp-receiver/memory-budget.ts";
import { readExport } from "./export/read-export.ts";
import type { Forwarder, Outcome } from "./forward/forwarder.ts";
import type { Parcel } from "./forward/post.ts";
import type { LabelDecisions } from "./label-decisions.ts";
import { MARKER_HEADER, markedBy } from "./loop.ts";
import type { OtlpRelayOptions, RelayLoss } from "./options.ts";

/** What the way leads past. */
export interface PassageSettings {
  readonly decisions: LabelDecisions;
  readonly forwarders: ReadonlyMap<Route, Forwarder>;
  /** Shares of the queue. */
  readonly newShare: () => MemoryBudget;
  /** The relay's own. */
  readonly id: string;
  readonly onDropped: OtlpRelayOptions["onDropped"];
}

// What an export that waits costs besides its body. Without it a million empty ones would cost nothing.
const OVERHEAD_BYTES = 1_024;

const compress = promisify(gzip);

/** Every export that is under way. */
export class Passage {
  readonly #settings: PassageSettings;
  readonly #underWay = new Set<Promise<void>>();

  constructor(settings: PassageSettings) {
    this.#settings = settings;
  }

  /**
   * Takes in spans. The sender has its answer when this returns, and keeps nothing.
   *
   * @throws {Refusal} when the queue is full: the sender keeps the export
   */
  takeTraces(request: TraceRequest, received: Received): undefined {
    const marker = this.#markerOf(received);
    const exported = readExport(received, request);
    const spans = exported.spans.length + exported.unreadable;
    if (exported.unreadable > 0) {
      report("relay-unreadable", "", () => "a span without usable ids or lists is forwarded without labels");
    }
    const share = this.#shareOf(received, spans);
    this.#start(spans, share, async () => {
      const additions = await this.#settings.decisions.decide(exported);
      const parcel = await packed({ ...received, body: exported.write(additions) }, marker);
      await this.#forward("traces", parcel, spans, share);
    });
  }

  /**
   * Takes in metrics, logs or profiles, which pass unread.
   *
   * @throws {Refusal} when their endpoint is not known, or the queue is full
   */
  takeOther(signal: IgnoredSignal, received: Received): void {
    const marker = this.#markerOf(received);
    if (!this.#settings.forwarders.has(signal)) throw new Refusal("nowhere_to_go");
    const share = this.#shareOf(received, 0);
    this.#start(0, share, async () => {
      await this.#forward(signal, await packed(received, marker), 0, share);
    });
  }

  /** Resolves when all that is under way now has arrived or is lost, or when the time is over. */
  async flush(milliseconds: number): Promise<void> {
    const timeout = new AbortController();
    const all = Promise.all([...this.#underWay]).then(() => true);
    const done = await Promise.race([
      all,
      sleep(milliseconds, false, { signal: timeout.signal }).catch(() => false),
    ]);
    timeout.abort();
    if (!done) report("relay-flush", "", () => "flushing took too long: exports still wait in the relay");
  }

  /** Asks for the last labels, sends what can be sent within the time, and gives up the rest. */
  async close(milliseconds: number): Promise<void> {
    const { decisions, forwarders } = this.#settings;
    decisions.finish();
    for (const forwarder of forwarders.values()) forwarder.hurry();
    await this.flush(milliseconds);
    for (const forwarder of forwarders.values()) forwarder.end();
    await Promise.all([...this.#underWay]);
  }

  #markerOf({ headers }: Received): string {
    const marker = markedBy(this.#settings.id, headers[MARKER_HEADER]?.toString());
    if (marker === undefined) throw new Refusal("loop");
    return marker;
  }

  #shareOf({ body }: Received, spans: number): MemoryBudget {
    const share = this.#settings.newShare();
    try {
      share.take(body.length + OVERHEAD_BYTES);
      return share;
    } catch (refusal) {
      this.#tell({ spans, reason: "queue_full" });
      throw refusal;
    }
  }

  #start(spans: number, share: MemoryBudget, work: () => Promise<void>): void {
    const running = work()
      .catch(() => {
        report("relay-failed", "", () => "the relay could not pass on an export (is there memory left?)");
        this.#tell({ spans, reason: "refused" });
      })
      .finally(() => {
        share.giveBack();
        this.#underWay.delete(running);
      });
    this.#underWay.add(running);
  }

  async #forward(signal: Route, parcel: Parcel, spans: number, share: MemoryBudget): Promise<void> {
    // Compressed it takes less; never more, since labels are few: they must not find the queue full.
    share.shrink(parcel.body.length + OVERHEAD_BYTES);
    const forwarder = this.#settings.forwarders.get(signal) as Forwarder;
    this.#account(signal, await forwarder.send(parcel, spans));
  }

  #account(signal: Route, outcome: Outcome | undefined): void {
    if (outcome === undefined) return;
    if (outcome.reason === "closed") {
      report(
        "relay-closed",
        signal,
        () => `exports of ${signal} were still waiting when the relay was closed`,
      );
    }
    this.#tell({ spans: outcome.lost, reason: outcome.reason });
  }

  // Other signals have no spans to count; they are in the diagnostics.
  #tell(loss: RelayLoss): void {
    if (loss.spans === 0) return;
    try {
      this.#settings.onDropped?.(loss);
    } catch {
      report("relay-on-dropped", "", () => "onDropped threw");
    }
  }
}

// As it came, or as gzip where it came compressed: what was worth it on the way here is worth it further on.
async function packed({ body, contentType, compressed }: Received, marker: string): Promise<Parcel> {
  const headers = { [MARKER_HEADER]: marker };
  return compressed
    ? { body: await compress(body), contentType, gzip: true, headers }
    : { body, contentType, gzip: false, headers };
}
