/**
 * How long to leave an endpoint alone after it failed: longer each time, never quite the same for two relays, and
 * never shorter than the endpoint asked for.
 *
 * @module
 */

/** How waiting grows. */
export interface BackoffSettings {
  readonly firstMilliseconds: number;
  readonly longestMilliseconds: number;
}

/** The pause of one endpoint. */
export class Pause {
  readonly #settings: BackoffSettings;
  readonly #over: () => void;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #until = 0;
  #asked = false;

  /** @param over called when the pause is over */
  constructor(settings: BackoffSettings, over: () => void) {
    this.#settings = settings;
    this.#over = over;
  }

  /** True while nothing may be sent. */
  get on(): boolean {
    return this.#timer !== undefined;
  }

  /** True from the first failure to the next success: one export is enough to see whether the endpoint is back. */
  get probing(): boolean {
    return this.#failures > 0;
  }

  /** @param askedFor milliseconds, where the endpoint said how long */
  failed(askedFor: number | undefined): void {
    // Attempts that ran beside each other fail together, and count as one.
    if (!this.on) this.#failures += 1;
    const wait = Math.max(this.on ? 0 : this.#backoff(), askedFor ?? 0);
    const until = performance.now() + wait;
    if (until <= this.#until && this.on) return;
    this.#asked = askedFor !== undefined;
    this.#until = until;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(), wait);
  }

  succeeded(): void {
    this.#failures = 0;
  }

  /** Ends the pause, unless the endpoint asked for it. */
  hurry(): void {
    if (this.on && !this.#asked) this.#end();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #backoff(): number {
    const { firstMilliseconds, longestMilliseconds } = this.#settings;
    const full = Math.min(longestMilliseconds, firstMilliseconds * 2 ** (this.#failures - 1));
    return full * (0.5 + Math.random() / 2);
  }

  #end(): void {
    this.stop();
    this.#over();
  }
}
