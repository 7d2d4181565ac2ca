/**
 * Asking the application for the facts of a call. A fact that it cannot give in time is unresolved.
 *
 * @module
 */
import { currentRun } from "../run/run-context.ts";
import { type Facts, readFacts } from "./facts.ts";

/** A call that facts are asked for. Its arguments are the model's: facts must not be taken from them. */
export interface FactCall {
  /** The name that the model called; it may be one that is not in the registry. */
  readonly tool: string;
  /** The id that the model or the framework gave, as it came; `undefined` where there is none. */
  readonly callId: string | undefined;
  /** What the option `session` of the mediation gave for this call; `undefined` without that option. */
  readonly session: string | undefined;
}

/** Gives the facts of a call, from the server's side alone. What it leaves out is unresolved. */
export type FactResolver = (call: FactCall) => Facts | undefined | Promise<Facts | undefined>;

/**
 * The facts of a call. Which untrusted inputs were used is known from the run (`run.markUntrusted()`), from the
 * application, or from both; a resolver that throws, or takes too long, has resolved nothing.
 */
export async function resolveFacts(
  resolver: FactResolver,
  call: FactCall,
  timeoutMilliseconds: number,
): Promise<Facts> {
  const given = readFacts(await settledWithin(() => resolver(call), timeoutMilliseconds));
  return { ...given, context: contextFact(given.context) };
}

// What either of them knows was used. A run that has lost count makes the whole unknown.
function contextFact(given: Facts["context"]): Facts["context"] {
  const run = currentRun();
  if (run === undefined) return given;
  const used = run.untrustedInputs;
  return used === undefined ? undefined : { used: [...used, ...(given?.used ?? [])] };
}

async function settledWithin(ask: () => unknown, timeoutMilliseconds: number): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, timeoutMilliseconds, undefined);
  });
  try {
    return await Promise.race([ask(), timeout]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
