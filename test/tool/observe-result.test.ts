import { AsyncLocalStorage } from "node:async_hooks";
import { Readable } from "node:stream";
import { types } from "node:util";
import { describe, expect, it } from "vitest";
import { observeResult } from "../../src/tool/observe-result.ts";

function watch() {
  const told: (readonly [string, unknown?])[] = [];
  return {
    told,
    observer: {
      returned: (value: unknown) => void told.push(["returned", value]),
      failed: (error: unknown) => void told.push(["failed", error]),
      unobservable: () => void told.push(["unobservable"]),
    },
  };
}
const drain = async (stream: AsyncIterable<unknown>) => {
  const values: unknown[] = [];
  for await (const value of stream) values.push(value);
  return values;
};

describe("observing a value", () => {
  it.each([
    ["a number", 1],
    ["nothing", undefined],
    ["an object", { a: 1 }],
    ["a function", () => 1],
    ["an array", [1]],
  ])("gives back %s at once and as it is", (_name, value) => {
    const { told, observer } = watch();
    expect(observeResult(value, observer)).toBe(value);
    expect(told).toEqual([["returned", value]]);
  });

  it("survives an object whose members cannot be read", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const { told, observer } = watch();
    expect(observeResult(proxy, observer) === proxy).toBe(true);
    expect(told).toHaveLength(1);
  });
});

describe("observing a promise", () => {
  it("tells the value before the caller has it", async () => {
    const { told, observer } = watch();
    const value = await observeResult(Promise.resolve(7), observer);
    expect([value, told]).toEqual([7, [["returned", 7]]]);
  });

  it("tells the error, and rejects with it", async () => {
    const error = new Error("no");
    const { told, observer } = watch();
    await expect(observeResult(Promise.reject(error), observer)).rejects.toBe(error);
    expect(told).toEqual([["failed", error]]);
  });

  it("gives back a promise, and no stand-in for one, also where async hooks mark every promise", async () => {
    await new AsyncLocalStorage().run("a context", async () => {
      const { told, observer } = watch();
      const promise = observeResult(Promise.resolve(7), observer);
      expect(types.isPromise(promise) && !types.isProxy(promise)).toBe(true);
      expect([await promise, told]).toEqual([7, [["returned", 7]]]);
      const request = Object.assign(Promise.resolve(7), { cancel: () => "cancelled" });
      expect(observeResult(request, observer).cancel()).toBe("cancelled");
    });
  });

  it("keeps a promise with methods of its own what it is", async () => {
    class Request extends Promise<string> {
      #cancelled = false;
      cancel() {
        this.#cancelled = true;
        return this.#cancelled;
      }
    }
    const { told, observer } = watch();
    const request = observeResult(new Request((done) => done("ok")), observer);
    expect(request).toBeInstanceOf(Request);
    expect(request.constructor).toBe(Request);
    expect(request.cancel()).toBe(true);
    expect(await request).toBe("ok");
    expect(told).toEqual([["returned", "ok"]]);
  });

  it.each(["catch", "finally"] as const)(
    "hears a promise of a subclass that is consumed by %s",
    async (method) => {
      class Request extends Promise<string> {}
      const { told, observer } = watch();
      const request = observeResult(new Request((done) => done("ok")), observer);
      expect(await request[method](() => {})).toBe("ok");
      expect(told).toEqual([["returned", "ok"]]);
    },
  );
});

describe("observing a lazy thenable", () => {
  const builder = () => {
    const query = {
      runs: 0,
      // biome-ignore lint/suspicious/noThenProperty: this is what query builders do
      then(done: (rows: string[]) => unknown, failed?: (error: unknown) => unknown) {
        this.runs += 1;
        return Promise.resolve([`run ${this.runs}`]).then(done, failed);
      },
    };
    return query;
  };

  it("does not start it", async () => {
    const query = builder();
    const { told, observer } = watch();
    observeResult(query, observer);
    await new Promise((done) => setTimeout(done, 1));
    expect([query.runs, told]).toEqual([0, []]);
  });

  it("runs it once for the caller's await, and tells the rows", async () => {
    const query = builder();
    const { told, observer } = watch();
    expect(await observeResult(query, observer)).toEqual(["run 1"]);
    expect([query.runs, told]).toEqual([1, [["returned", ["run 1"]]]]);
  });

  it("gives back a frozen one as it is, and says that it cannot be seen", () => {
    // biome-ignore lint/suspicious/noThenProperty: a frozen thenable is the case
    const frozen = Object.freeze({ then: (done: (n: number) => void) => done(1) });
    const { told, observer } = watch();
    expect(observeResult(frozen, observer)).toBe(frozen);
    expect(told).toEqual([["unobservable"]]);
  });
});

describe("observing a stream", () => {
  async function* parts(cleanUp: () => void = () => {}) {
    try {
      yield 1;
      yield 2;
      yield 3;
    } finally {
      cleanUp();
    }
  }

  it("tells the last part once it is read to its end", async () => {
    const { told, observer } = watch();
    const stream = observeResult(parts(), observer);
    expect(told).toEqual([]);
    expect(await drain(stream)).toEqual([1, 2, 3]);
    expect(told).toEqual([["returned", 3]]);
  });

  it("is still synchronous, an async iterable and a generator", () => {
    const stream = observeResult(parts(), watch().observer);
    expect(Object.prototype.toString.call(stream)).toBe("[object AsyncGenerator]");
    expect(stream[Symbol.asyncIterator]()).toBe(stream);
  });

  it("tells the last part when the reader stops early, and the generator cleans up", async () => {
    let cleaned = false;
    const { told, observer } = watch();
    for await (const part of observeResult(
      parts(() => (cleaned = true)),
      observer,
    ))
      if (part === 2) break;
    expect([told, cleaned]).toEqual([[["returned", 2]], true]);
  });

  it("tells the last part when the reader stops early, also where cleaning up yields once more", async () => {
    async function* clingy() {
      try {
        yield 1;
      } finally {
        yield 2;
      }
    }
    const { told, observer } = watch();
    for await (const _ of observeResult(clingy(), observer)) break;
    expect(told).toEqual([["returned", 1]]);
  });

  it("tells the error that the stream throws", async () => {
    const error = new Error("half way");
    async function* broken() {
      yield 1;
      throw error;
    }
    const { told, observer } = watch();
    await expect(drain(observeResult(broken(), observer))).rejects.toBe(error);
    expect(told).toEqual([["failed", error]]);
  });

  it("tells the error that the reader throws into it", async () => {
    const error = new Error("stop it");
    const { told, observer } = watch();
    const stream = observeResult(parts(), observer);
    await stream.next();
    await expect(stream.throw(error)).rejects.toBe(error);
    expect(told).toEqual([["failed", error]]);
  });

  it("tells undefined for a stream without parts", async () => {
    const { told, observer } = watch();
    await drain(observeResult((async function* () {})(), observer));
    expect(told).toEqual([["returned", undefined]]);
  });

  it("tells the last part of a generator that was waited for, and not the generator", async () => {
    const { told, observer } = watch();
    const stream = await observeResult((async () => parts())(), observer);
    expect(Object.prototype.toString.call(stream)).toBe("[object AsyncGenerator]");
    expect(told).toEqual([]);
    expect(await drain(stream)).toEqual([1, 2, 3]);
    expect(told).toEqual([["returned", 3]]);
  });

  it("gives back any other stream that was waited for as it is", async () => {
    const sync = (function* () {
      yield 1;
    })();
    for (const stream of [Readable.from([1]), new ReadableStream(), sync]) {
      const { told, observer } = watch();
      expect((await observeResult(Promise.resolve<object>(stream), observer)) === stream).toBe(true);
      expect(told.map(([how, value]) => [how, value === stream])).toEqual([["returned", true]]);
    }
  });

  it("does not start a generator that nobody reads", async () => {
    let started = false;
    async function* lazy() {
      started = true;
      yield 1;
    }
    observeResult(lazy(), watch().observer);
    await new Promise((done) => setTimeout(done, 1));
    expect(started).toBe(false);
  });

  it("hears an iterable that makes a new iterator each time", async () => {
    const { told, observer } = watch();
    const source = { kind: "list", [Symbol.asyncIterator]: () => parts() };
    const stream = observeResult(source, observer);
    expect(stream.kind).toBe("list");
    expect(await drain(stream)).toEqual([1, 2, 3]);
    expect(await drain(stream)).toEqual([1, 2, 3]);
    expect(told).toEqual([["returned", 3]]);
  });

  it("keeps Node.js and web streams usable", async () => {
    const node = watch();
    const readable = observeResult(Readable.from(["a", "b"]), node.observer);
    expect(readable).toBeInstanceOf(Readable);
    expect(await drain(readable)).toEqual(["a", "b"]);
    expect(node.told).toEqual([["returned", "b"]]);

    const web = watch();
    const stream = observeResult(new Response("text").body as ReadableStream<Uint8Array>, web.observer);
    expect(stream.locked).toBe(false);
    expect(await drain(stream as unknown as AsyncIterable<unknown>)).toHaveLength(1);
    expect(web.told).toHaveLength(1);
  });
});
