/**
 * An edge worker: answers each request with what the job gave. Its context manager is its own, since OpenTelemetry's of the
 * SDK 2 line is CommonJS and asks for `async_hooks` with `require`, which an ES module of a bundler has not.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, type ContextManager, ROOT_CONTEXT } from "@opentelemetry/api";
import { type JobResult, job } from "./job.ts";

class WorkerContextManager implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();

  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }

  with<Parameters extends unknown[], Result>(
    given: Context,
    fn: (...parameters: Parameters) => Result,
    self?: unknown,
    ...parameters: Parameters
  ): Result {
    return this.#storage.run(given, () => fn.apply(self as never, parameters));
  }

  bind<Target>(given: Context, target: Target): Target {
    if (typeof target !== "function") return target;
    return ((...parameters: unknown[]) =>
      this.with(given, () => Reflect.apply(target, undefined, parameters))) as Target;
  }

  enable(): this {
    return this;
  }

  disable(): this {
    return this;
  }
}

let result: Promise<JobResult> | undefined;

export default {
  async fetch(): Promise<Response> {
    // Made here, not where the module is loaded: workers have neither timers nor random bytes there.
    result ??= job(new WorkerContextManager(), true);
    return Response.json(await result);
  },
};
