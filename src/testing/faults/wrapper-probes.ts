/**
 * Tools that tell what happened to them, to put into a wrapper: what each got, and what exactly it gave.
 *
 * @module
 */
import type { Ending } from "./outcome.ts";

/** A tool function, any. */
export type ProbeFunction = (this: unknown, ...parameters: unknown[]) => unknown;

/** What one call of a probe got. */
export interface Received {
  readonly self: unknown;
  readonly parameters: readonly unknown[];
}

/** A tool for one call. */
export interface Probe {
  readonly tool: ProbeFunction;
  /** The calls that reached the tool. */
  readonly received: Received[];
  /** How a call of the bare tool ends, and the very values. */
  readonly ending: Ending;
  readonly values: readonly unknown[];
}

const VERBS: Readonly<Record<Ending, string>> = {
  returned: "returns",
  threw: "throws",
  resolved: "resolves to",
  rejected: "rejects with",
  streamed: "streams",
  "failed in its stream": "fails in its stream with",
};

/** The ways in which tools give a value. */
const WAYS: Readonly<Record<Ending, (value: unknown) => unknown>> = {
  returned: (value) => value,
  threw: (value) => {
    throw value;
  },
  resolved: (value) => Promise.resolve(value),
  rejected: (value) => {
    const promise = Promise.reject(value);
    // A wrapper that loses it is found out by what it gives instead, and must not end the process.
    promise.catch(() => {});
    return promise;
  },
  streamed: async function* (value) {
    yield value;
    yield value;
  },
  "failed in its stream": async function* (value) {
    yield value;
    throw value;
  },
};

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const unreadable = (): object =>
  new Proxy(
    {},
    {
      get: (_target, property) => {
        // Promises and streams are told apart by these, so that a value whose every member throws is none of either.
        if (property === "then" || property === Symbol.asyncIterator) return undefined;
        throw new Error("cannot be read");
      },
      ownKeys: () => {
        throw new Error("cannot be read");
      },
    },
  );

/** The values that tools give: an ordinary one, and what is awkward to fingerprint or to look at. */
const VALUES: Readonly<Record<string, () => unknown>> = {
  "an object": () => ({ flight: "XY 12" }),
  nothing: () => undefined,
  "a cycle": () => {
    const value: Record<string, unknown> = {};
    value.self = value;
    return value;
  },
  "a revoked proxy": () => ({ member: revoked() }),
  "an unreadable object": unreadable,
  "a bigint": () => 1n,
};

/** Every probe, with words for it. */
export function* probes(): Generator<readonly [words: string, make: () => Probe]> {
  for (const ending of Object.keys(WAYS) as Ending[]) {
    for (const [words, makeValue] of Object.entries(VALUES)) {
      yield [`a tool that ${VERBS[ending]} ${words}`, () => newProbe(ending, makeValue())];
    }
  }
}

function newProbe(ending: Ending, value: unknown): Probe {
  const received: Received[] = [];
  const twice = ending === "streamed" || ending === "failed in its stream";
  return {
    received,
    ending,
    values: twice ? [value, value] : [value],
    tool(...parameters) {
      received.push({ self: this, parameters });
      return WAYS[ending](value);
    },
  };
}
