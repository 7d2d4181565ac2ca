/**
 * Waiting for the exports of the provider's other processors.
 *
 * @module
 */

/** An exporter may have a collector that is not there; the recording has its spans either way. */
const MILLISECONDS = 5_000;

// Taken when the module is loaded: tests put fake timers in their place later.
const startTimer = setTimeout;
const stopTimer = clearTimeout;

/** Flushes the provider, if it can be flushed. Never throws. */
export async function flush(provider: object): Promise<void> {
  const { forceFlush } = provider as { forceFlush?: () => Promise<void> };
  if (typeof forceFlush !== "function") return;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = startTimer(resolve, MILLISECONDS);
  });
  try {
    await Promise.race([forceFlush.call(provider), timeout]);
  } catch {
    // What others export is not what is tested here.
  } finally {
    stopTimer(timer);
  }
}
