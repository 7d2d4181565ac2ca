/**
 * Hands exports to one endpoint, a few at a time, for as long as it takes.
 *
 * The pause after a failure is the endpoint's and not the export's: with one per export, a thousand exports that
 * wait would knock a thousand times. An export that failed goes to the end of the queue, so that one that can never be
 * taken does not keep the others.
 *
 * @module
 */
import { report } from "../../labels/diagnostics.ts";
import { type BackoffSettings, Pause } from "./pause.ts";
import type { Connections, Parcel } from "./post.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

/** What became of an export: how many of its records were lost, and why. */
export interface Outcome {
  readonly lost: number;
  readonly reason: "refused" | "closed";
}

/** An export on its way. */
interface Delivery {
  readonly parcel: Parcel;
  readonly records: number;
  readonly done: (outcome: Outcome | undefined) => void;
}

const DELIVERED = undefined;

/** The way to one endpoint. */
export class Forwarder {
  readonly #connections: Connections;
  readonly #atOnce: number;
  readonly #pause: Pause;
  readonly #waiting: Delivery[] = [];
  #sending = 0;
  #ended = false;

  constructor(connections: Connections, settings: BackoffSettings & { readonly atOnce: number }) {
    this.#connections = connections;
    this.#atOnce = settings.atOnce;
    this.#pause = new Pause(settings, () => this.#next());
  }

  /**
   * Resolves when the export was delivered or lost.
   *
   * @param records what it holds, for counting losses
   */
  send(parcel: Parcel, records: number): Promise<Outcome | undefined> {
    return new Promise((done) => {
      const delivery = { parcel, records, done };
      if (this.#ended) return lose(delivery, "closed");
      this.#waiting.push(delivery);
      this.#next();
    });
  }

  /** Tries at once, where the endpoint did not ask to wait. */
  hurry(): void {
    this.#pause.hurry();
  }

  /** Gives up what is left. */
  end(): void {
    this.#ended = true;
    this.#pause.stop();
    this.#connections.end();
    for (const delivery of this.#waiting.splice(0)) lose(delivery, "closed");
  }

  #next(): void {
    while (this.#waiting.length > 0 && !this.#pause.on) {
      if (this.#sending >= (this.#pause.probing ? 1 : this.#atOnce)) return;
      void this.#attempt(this.#waiting.shift() as Delivery);
    }
  }

  async #attempt(delivery: Delivery): Promise<void> {
    this.#sending += 1;
    const verdict = await this.#verdict(delivery.parcel);
    this.#sending -= 1;
    if (verdict.kind === "again") {
      this.#again(delivery, verdict.waitMilliseconds);
    } else {
      this.#pause.succeeded();
      if (verdict.kind === "refused") lose(delivery, "refused");
      else delivery.done(takenBut(verdict.rejected, delivery.records));
    }
    this.#next();
  }

  async #verdict(parcel: Parcel): Promise<Verdict> {
    try {
      const answer = await this.#connections.post(parcel);
      const verdict = verdictOf(answer, Date.now());
      if (verdict.kind !== "delivered") reportAnswer(verdict.kind, answer.status);
      return verdict;
    } catch (error) {
      reportBroken((error as { code?: unknown } | undefined)?.code);
      return { kind: "again", waitMilliseconds: undefined };
    }
  }

  #again(delivery: Delivery, waitMilliseconds: number | undefined): void {
    if (this.#ended) {
      lose(delivery, "closed");
      return;
    }
    this.#waiting.push(delivery);
    this.#pause.failed(waitMilliseconds);
  }
}

const lose = ({ records, done }: Delivery, reason: Outcome["reason"]): void =>
  done({ lost: records, reason });

function takenBut(rejected: number, records: number): Outcome | undefined {
  if (rejected === 0) return DELIVERED;
  report("relay-partial", "", () => "the endpoint took an export only in part (partial success)");
  return { lost: Math.min(rejected, records), reason: "refused" };
}

function reportAnswer(kind: "refused" | "again", status: number): void {
  report(`relay-${kind}`, String(status), () =>
    kind === "again"
      ? `the endpoint answered ${status}: exports wait in the relay and are sent again`
      : `the endpoint answered ${status}, which OTLP counts as final: the export was dropped`,
  );
}

// Of an error nothing but a plain code is shown: its message may hold a URL.
function reportBroken(code: unknown): void {
  const reason = typeof code === "string" && /^[A-Z0-9_]{1,60}$/.test(code) ? code : "no reason given";
  report(
    "relay-broken",
    reason,
    () => `the endpoint could not be reached (${reason}): exports wait in the relay and are sent again`,
  );
}
