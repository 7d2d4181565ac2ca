/**
 * Asks the enforcer what it has loaded. A signature says who wrote a policy, not that anybody obeys it.
 *
 * @module
 */
import type { ConfirmLoaded } from "./policy-config.ts";
import { PolicyError } from "./policy-error.ts";

/** How long an enforcer may take to answer when nothing else is configured, in milliseconds. */
const DEFAULT_CONFIRM_TIMEOUT = 10_000;

/** @throws PolicyError `not_loaded`, `confirmation_failed` */
export async function mustBeLoaded(
  confirmLoaded: ConfirmLoaded,
  sha256: string,
  timeout: number = DEFAULT_CONFIRM_TIMEOUT,
): Promise<void> {
  const loaded = await ask(confirmLoaded, timeout);
  if (typeof loaded !== "string") throw new PolicyError("confirmation_failed");
  if (loaded.toLowerCase() !== sha256) throw new PolicyError("not_loaded");
}

async function ask(confirmLoaded: ConfirmLoaded, timeout: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, timeout, undefined);
  });
  try {
    return await Promise.race([confirmLoaded(), tooLate]);
  } catch {
    // The enforcer's own error may quote a policy, so it does not become the cause.
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
