/**
 * What may stand around the contract of a tool: the place of the claims, which come before everything and are none of the
 * tool's business.
 *
 * @module
 */
import type { ErrorClass } from "../../attributes/registry.ts";

/** A call that arrived, before anything was done about it. */
export interface ArrivedCall {
  readonly name: string;
  readonly callId: string | undefined;
  /** All that the function was called with; the arguments of the model are the first. */
  readonly parameters: readonly unknown[];
}

export interface CallLayer {
  /** The arguments that are the tool's own: what is fingerprinted, validated and run. Does not throw. */
  readonly argumentsOf: (args: unknown) => unknown;
  /** Awaited before the arguments are looked at. What it throws is what the call ends with, and nothing runs. */
  readonly admit: (call: ArrivedCall) => void | Promise<void>;
  /** The class of an error that it threw; `undefined` for an error of somebody else. */
  readonly errorClass?: (error: unknown) => ErrorClass | undefined;
}
