/**
 * What a tool declares about itself, checked when it is declared: a wrong definition throws at start-up, so that no
 * call ever has to.
 *
 * @module
 */
import { ERROR_CLASSES, type ErrorClass, SIDE_EFFECTS, type SideEffect } from "../attributes/registry.ts";
import {
  prepareToolFingerprint,
  prepareVolatileKeys,
  type ToolFingerprint,
  type ToolFingerprintMode,
  type VolatileKeys,
} from "../fingerprint/index.ts";
import type { LabelSpan } from "../labels/span.ts";
import type { Run } from "../run/run.ts";

/** What is known of one call when its span is looked for. */
export interface ToolCall {
  /** The tool's name, as it was defined. */
  readonly name: string;
  /** The id that the model gave this call, where the framework tells. */
  readonly callId: string | undefined;
  /** What the tool function was called with. */
  readonly parameters: readonly unknown[];
}

/** A tool function, any. */
// biome-ignore lint/suspicious/noExplicitAny: the parameters of a function type are contravariant; nothing else fits all tools
export type ToolFunction = (...parameters: any[]) => unknown;

/** The definition of a tool for {@link wrapTool}. */
export interface ToolDefinition<Tool extends ToolFunction = ToolFunction> {
  /** The tool's name, as the model and the framework know it. */
  readonly name: string;
  /**
   * What the tool can do to the world. `pure`: no input or output, same arguments, same result. `read`: reads
   * outside state. `write`: changes outside state in a way that can be undone. `irreversible`: cannot be undone, such
   * as a send, a payment or a delete. Leave out when not known.
   */
  readonly sideEffect?: SideEffect | undefined;
  /**
   * The class of a failure, for what the tool alone knows. Asked with the thrown value, and with `undefined` and the
   * result of a call that returned. `undefined`: go by unambiguous facts (a numeric HTTP status, a timeout's code, a
   * validation error's shape); `null`: leave the class out.
   */
  readonly errorClass?: ((error: unknown, result: unknown) => ErrorClass | null | undefined) | undefined;
  /** Whether a result counts as "found nothing", which is labelled as the error class `empty`. */
  readonly isEmpty?: ((result: Awaited<ReturnType<Tool>>) => boolean) | undefined;
  /**
   * The arguments to fingerprint. Default: the first parameter, which is where agent frameworks put them. Give this
   * for functions with several: `args: (from, to) => ({ from, to })`.
   */
  readonly args?: ((...parameters: Parameters<Tool>) => unknown) | undefined;
  /** The call id that the model gave. Default: a string `toolCallId` of the second parameter. */
  readonly callId?: ((...parameters: Parameters<Tool>) => string | undefined) | undefined;
  /** Replaces the list of member names that do not count for a fingerprint. */
  readonly volatileKeys?: Iterable<string> | undefined;
  /**
   * `"off"`, `{ args: "off" }` or `{ result: "off" }`: no fingerprint of that is written. `{ key }`: fingerprints are keyed with
   * this key instead of the run's, outside a run too. Default: as the run says. Attempts are counted in every case.
   */
  readonly fingerprint?: ToolFingerprint | null | undefined;
  /** The tool's span, or how to find it. Used as it is, without looking at its name or id. */
  readonly span?: LabelSpan | ((call: ToolCall) => LabelSpan | null | undefined) | undefined;
  /** Label the active span even when it is not recognisably this call's. Default `false`. */
  readonly trustActiveSpan?: boolean | undefined;
  /** The run that calls belong to. Default: the one in the OpenTelemetry context. */
  readonly run?: Run | undefined;
}

/** A definition, checked and made ready for calls. */
export interface PreparedTool {
  readonly name: string;
  readonly sideEffect: SideEffect | undefined;
  readonly errorClass: ((error: unknown, result: unknown) => unknown) | undefined;
  readonly isEmpty: ((result: unknown) => unknown) | undefined;
  readonly args: ((...parameters: unknown[]) => unknown) | undefined;
  readonly callId: ((...parameters: unknown[]) => unknown) | undefined;
  readonly volatileKeys: VolatileKeys;
  readonly fingerprint: ToolFingerprintMode;
  readonly span: ToolDefinition["span"];
  readonly trustActiveSpan: boolean;
  /** The framework's span shows exactly this name. Set by adapters, which know; a definition cannot. */
  readonly nameIsExact?: boolean;
  /** No fingerprint of arguments or results is written or kept. Set by contracts of tools that handle short secrets. */
  readonly sensitive?: boolean;
  readonly run: Run | undefined;
}

/**
 * Checks a definition and copies it, so that later changes to the object have no effect.
 *
 * @throws TypeError or RangeError that names the option and what is allowed
 */
export function prepareTool(definition: ToolDefinition<never>): PreparedTool {
  if (typeof definition !== "object" || definition === null) {
    throw new TypeError('a tool definition is an object with a name: wrapTool({ name: "search" }, search)');
  }
  const { name, sideEffect, volatileKeys, span, run, trustActiveSpan } = definition;
  if (typeof name !== "string" || name === "") {
    throw new TypeError('"name" of a tool definition expected a string that is not empty');
  }
  if (sideEffect !== undefined && !SIDE_EFFECTS.includes(sideEffect)) {
    throw new RangeError(`"sideEffect" of a tool definition expected one of ${SIDE_EFFECTS.join(", ")}`);
  }
  if (span !== undefined && typeof span !== "function" && typeof span?.setAttribute !== "function") {
    throw new TypeError('"span" of a tool definition expected a span, or a function that finds it');
  }
  if (run !== undefined && typeof run?.nextStep !== "function") {
    throw new TypeError('"run" of a tool definition expected a Run');
  }
  if (trustActiveSpan !== undefined && typeof trustActiveSpan !== "boolean") {
    throw new TypeError('"trustActiveSpan" of a tool definition expected true or false');
  }
  return {
    name,
    sideEffect,
    errorClass: callback(definition, "errorClass"),
    isEmpty: callback(definition, "isEmpty"),
    args: callback(definition, "args"),
    callId: callback(definition, "callId"),
    volatileKeys: prepareVolatileKeys(volatileKeys),
    fingerprint: prepareToolFingerprint(definition.fingerprint),
    span,
    trustActiveSpan: trustActiveSpan ?? false,
    run,
  };
}

function callback(
  definition: object,
  option: "errorClass" | "isEmpty" | "args" | "callId",
): ((...values: unknown[]) => unknown) | undefined {
  const value = (definition as Record<string, unknown>)[option];
  if (value === undefined) return undefined;
  if (typeof value !== "function") {
    const hint = option === "errorClass" ? `; it returns one of ${ERROR_CLASSES.join(", ")}` : "";
    throw new TypeError(`"${option}" of a tool definition expected a function${hint}`);
  }
  return value as (...values: unknown[]) => unknown;
}
