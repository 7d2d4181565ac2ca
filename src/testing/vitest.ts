/**
 * The matchers for vitest: importing this file adds them to `expect`, and their types.
 *
 * @module
 */
import { expect } from "vitest";
import { matchers, type TraceMatchers } from "./matchers/index.ts";

expect.extend(matchers);

declare module "vitest" {
  // biome-ignore lint/suspicious/noExplicitAny: vitest's own declaration, which this one has to repeat to add to it
  interface Matchers<T = any> extends TraceMatchers<T> {}
}
