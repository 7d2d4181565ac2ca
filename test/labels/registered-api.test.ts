import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, type ContextManager, context, ROOT_CONTEXT } from "@opentelemetry/api";
import { context as older } from "otel-api-1-4";
import { context as newer } from "otel-api-1-10";
import { afterEach, describe, expect, it } from "vitest";
import { unseenRegistration } from "../../src/labels/registered-api.ts";

const API_GLOBALS = Symbol.for("opentelemetry.js.api.1");

class Manager implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();
  readonly #works: boolean;

  constructor(works = true) {
    this.#works = works;
  }

  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }

  with<Parameters extends unknown[], Result>(
    given: Context,
    fn: (...parameters: Parameters) => Result,
    self?: unknown,
    ...parameters: Parameters
  ): Result {
    const call = () => fn.apply(self as never, parameters);
    return this.#works ? this.#storage.run(given, call) : call();
  }

  bind<Target>(_given: Context, target: Target): Target {
    return target;
  }

  enable(): this {
    return this;
  }

  disable(): this {
    return this;
  }
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, API_GLOBALS);
});

describe("unseenRegistration", () => {
  it("has nothing to say where nothing was registered, and of a manager that is seen", () => {
    expect(unseenRegistration()).toBeUndefined();
    context.setGlobalContextManager(new Manager());
    expect(unseenRegistration()).toBeUndefined();
  });

  it("names the version of an older copy that registered, which ours does not see", () => {
    older.setGlobalContextManager(new Manager() as never);
    expect(unseenRegistration()).toMatch(/^@opentelemetry\/api 1\.4\.\d+ registered the tracing.*doctor$/);
  });

  it("has nothing to say of a newer copy, which ours does see", () => {
    newer.setGlobalContextManager(new Manager() as never);
    expect(unseenRegistration()).toBeUndefined();
  });

  it("leaves a manager that makes nothing active, or throws, to others", () => {
    older.setGlobalContextManager(new Manager(false) as never);
    expect(unseenRegistration()).toBeUndefined();
    Reflect.deleteProperty(globalThis, API_GLOBALS);
    older.setGlobalContextManager({
      with() {
        throw new Error("broken");
      },
    } as never);
    expect(unseenRegistration()).toBeUndefined();
  });

  it("shows of the version only what is one", () => {
    older.setGlobalContextManager(new Manager() as never);
    (globalThis as unknown as Record<symbol, { version: string }>)[API_GLOBALS]!.version =
      "1.4.1 and a secret";
    expect(unseenRegistration() ?? "").not.toContain("secret");
  });
});
