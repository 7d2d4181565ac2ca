/**
 * The OpenTelemetry SDK that the application has installed, loaded when a test asks for it and never before.
 *
 * Loaded synchronously, so that `recordTraces()` can be called anywhere a test can set something up; a dynamic
 * `import()` would make every set-up function asynchronous.
 *
 * @module
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import type { TracerProvider } from "@opentelemetry/api";
import { TestingError } from "../testing-error.ts";
import type { SpanProcessorLike } from "./span-types.ts";

/** The class of an SDK's tracer provider, as far as the harness uses it. */
export type TracerProviderClass = new (options: {
  readonly spanProcessors: readonly SpanProcessorLike[];
  readonly sampler: object;
}) => TracerProvider;

/** Packages with a provider class, best first, and what the class is called in them. */
const PROVIDERS = [
  ["@opentelemetry/sdk-trace-node", "NodeTracerProvider"],
  ["@opentelemetry/sdk-trace-base", "BasicTracerProvider"],
  ["@opentelemetry/sdk-trace", "TracerProvider"],
] as const;

const CONTEXT_PACKAGE = "@opentelemetry/context-async-hooks";
const CONTEXT_CLASS = "AsyncLocalStorageContextManager";

type ContextManagerClass = new () => { enable(): object };

/**
 * The provider class: of the module that was given, or of the first SDK that is installed.
 *
 * @throws TestingError `sdk_missing`
 */
export function tracerProviderClass(sdk: object | undefined): TracerProviderClass {
  for (const [name, exported] of PROVIDERS) {
    const found: unknown = Reflect.get(sdk ?? load(name) ?? {}, exported);
    if (typeof found === "function") return found as TracerProviderClass;
  }
  throw new TestingError(
    "sdk_missing",
    sdk === undefined
      ? "Install one: npm install --save-dev @opentelemetry/sdk-trace-node (or @opentelemetry/sdk-trace with @opentelemetry/context-async-hooks for SDK 3). Or hand it over: recordTraces({ sdk: await import(...) })."
      : `The module given as "sdk" has none of ${PROVIDERS.map(([, exported]) => exported).join(", ")}.`,
  );
}

/**
 * A context manager, enabled.
 *
 * @throws TestingError `context_manager_missing`
 */
export function newContextManager(): object {
  const found = Reflect.get(load(CONTEXT_PACKAGE) ?? {}, CONTEXT_CLASS) as ContextManagerClass | undefined;
  if (found === undefined) {
    throw new TestingError(
      "context_manager_missing",
      `Install one: npm install --save-dev ${CONTEXT_PACKAGE}. Or register the application's before recordTraces().`,
    );
  }
  return new found().enable();
}

// From where this package is installed, then from where the tests run: a linked or hoisted copy of this package does not
// see what the application has installed. The context manager comes with the SDK for Node.js, which strict package
// managers show to that SDK alone.
function load(name: string): object | undefined {
  for (const home of [import.meta.url, join(process.cwd(), "package.json")]) {
    const require = createRequire(home);
    const found = attempt(() => require(name) as object);
    if (found !== undefined) return found;
    if (name !== CONTEXT_PACKAGE) continue;
    const throughSdk = attempt(
      () => createRequire(require.resolve("@opentelemetry/sdk-trace-node"))(name) as object,
    );
    if (throughSdk !== undefined) return throughSdk;
  }
  return undefined;
}

function attempt<Result>(fn: () => Result): Result | undefined {
  try {
    return fn();
  } catch {
    return undefined;
  }
}
