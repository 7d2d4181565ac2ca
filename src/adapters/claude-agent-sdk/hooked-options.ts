/**
 * The options of a query with our hooks in them.
 *
 * Ours answer `{}`: an `allow` would let calls through that the application's own rules refuse. The application's hooks are
 * not only joined but wrapped, so that whichever callback of an event comes first tells of it; the order in which the
 * command line calls them is its own.
 *
 * @module
 */
import { type Context, context } from "@opentelemetry/api";
import type { HookCallback, HookInput, HookMatcher, QueryOptions } from "./sdk-types.ts";

/** The events that tell of tool calls. */
const EVENTS = ["PreToolUse", "PostToolUse", "PostToolUseFailure"] as const;

/** Is told of an event before each callback of it, and gives the context to call it in. Must not throw. */
export type TellHook = (input: HookInput | null | undefined) => Context;

/** A copy of the options with hooks that tell. */
export function withHooks(options: QueryOptions | undefined, tell: TellHook): QueryOptions {
  const own: HookCallback = async (input) => {
    tell(input);
    return {};
  };
  const hooks: Record<string, readonly HookMatcher[] | undefined> = { ...options?.hooks };
  for (const event of EVENTS) {
    const given = hooks[event];
    const wrapped = Array.isArray(given) ? given.map((matcher) => wrapMatcher(matcher, tell)) : [];
    hooks[event] = [...wrapped, { hooks: [own] }];
  }
  return { ...options, hooks };
}

function wrapMatcher(matcher: HookMatcher, tell: TellHook): HookMatcher {
  // What is no list of functions is the SDK's to complain about.
  if (!Array.isArray(matcher?.hooks)) return matcher;
  const hooks = matcher.hooks.map((callback: HookCallback) =>
    typeof callback === "function" ? wrapCallback(callback, tell) : callback,
  );
  return { ...matcher, hooks };
}

function wrapCallback(callback: HookCallback, tell: TellHook): HookCallback {
  return function (this: unknown, ...told) {
    return context.with(tell(told[0]), () => Reflect.apply(callback, this, told));
  };
}
