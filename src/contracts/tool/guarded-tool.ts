/**
 * The order of a guarded call: labels begin, the layer around it admits it, the contract is held, the confirmation is asked
 * for, the tool runs. What stops it on the way is its end, with a label, and reaches nothing behind it.
 *
 * @module
 */
import { TrustablError } from "../../errors.ts";
import { report } from "../../labels/diagnostics.ts";
import { type CallObserver, observeResult } from "../../tool/observe-result.ts";
import { SENSITIVE } from "../../tool/sensitive.ts";
import { beginToolCall } from "../../tool/tool-call.ts";
import { type PreparedTool, prepareTool, type ToolFunction } from "../../tool/tool-definition.ts";
import type { Contract } from "../contract.ts";
import { ContractViolationError } from "../contract-violation-error.ts";
import { refused } from "../validate/message.ts";
import { NOT_CONFIRMED } from "../validate-call.ts";
import { callIdIn } from "./call-id.ts";
import type { CallLayer } from "./call-layer.ts";
import type { ContractToolOptions } from "./options.ts";

/** {@link ContractToolOptions}, whatever the tool's types are. */
// biome-ignore lint/suspicious/noExplicitAny: the parameters of a function type are contravariant; nothing else fits all tools
export type AnyToolOptions = ContractToolOptions<any, any[], any>;

/** Wraps `execute`; `layer` stands around the contract. */
export function guardedTool(
  contract: Contract,
  execute: ToolFunction,
  options: AnyToolOptions,
  layer?: CallLayer,
): ToolFunction {
  const call = new GuardedTool(contract, execute, options, layer);
  // A proxy, as `wrapTool` has one: name, length and being a generator function stay visible.
  return new Proxy(execute, {
    apply: (_, self, parameters: unknown[]) =>
      isGeneratorFunction(execute) ? call.stream(self, parameters) : call.run(self, parameters),
    get: (target, property) =>
      property === SENSITIVE ? contract.sensitive : (Reflect.get(target, property) as unknown),
  });
}

class GuardedTool {
  readonly #contract: Contract;
  readonly #execute: ToolFunction;
  readonly #options: AnyToolOptions;
  readonly #layer: CallLayer | undefined;
  readonly #prepared: PreparedTool;

  constructor(
    contract: Contract,
    execute: ToolFunction,
    options: AnyToolOptions,
    layer: CallLayer | undefined,
  ) {
    this.#contract = contract;
    this.#execute = execute;
    this.#options = options;
    this.#layer = layer;
    this.#prepared = prepare(contract, options, layer);
  }

  async run(self: unknown, parameters: readonly unknown[]): Promise<unknown> {
    const { observer, admitted, refusal } = await this.#admit(parameters);
    if (refusal !== undefined) return this.#refuse(refusal.error);
    const result = await this.#apply(self, admitted, parameters, observer);
    if (isGenerator(result)) {
      report(
        "contract stream",
        this.#contract.name,
        () =>
          `the tool "${this.#contract.name}" gives a stream through a promise, which frameworks read as a result: write it as an async generator function`,
      );
    }
    return result;
  }

  async *stream(self: unknown, parameters: readonly unknown[]): AsyncGenerator<unknown> {
    const { observer, admitted, refusal } = await this.#admit(parameters);
    // What is yielded last is the result.
    if (refusal !== undefined) yield this.#refuse(refusal.error);
    else yield* this.#apply(self, admitted, parameters, observer) as AsyncGenerator<unknown>;
  }

  #apply(
    self: unknown,
    admitted: readonly unknown[],
    parameters: readonly unknown[],
    observer: CallObserver | undefined,
  ): unknown {
    let result: unknown;
    try {
      result = Reflect.apply(this.#execute, self, [...admitted, ...parameters.slice(1)]);
    } catch (error) {
      observer?.failed(error);
      throw error;
    }
    return observer === undefined ? result : observeResult(result, observer);
  }

  async #admit(parameters: readonly unknown[]): Promise<Admission> {
    const [raw, ...rest] = parameters;
    const args = this.#layer === undefined ? raw : this.#layer.argumentsOf(raw);
    const observer =
      this.#options.labelled === false ? undefined : beginToolCall(this.#prepared, [args, ...rest]);
    try {
      await this.#layer?.admit({ name: this.#contract.name, callId: this.#callId(parameters), parameters });
      return { observer, admitted: [await this.#hold(args, rest)], refusal: undefined };
    } catch (error) {
      observer?.failed(error);
      return { observer, admitted: [], refusal: { error } };
    }
  }

  /** The arguments as the contract allows them. */
  async #hold(args: unknown, rest: readonly unknown[]): Promise<unknown> {
    const validation = this.#contract.validate(args, this.#options);
    if (!validation.ok) throw new ContractViolationError(this.#contract.name, validation);
    if (this.#contract.confirm && !(await this.#isConfirmed(validation.value, rest))) {
      throw new ContractViolationError(this.#contract.name, refused([NOT_CONFIRMED]));
    }
    return validation.value;
  }

  async #isConfirmed(args: unknown, rest: readonly unknown[]): Promise<boolean> {
    const { confirmed } = this.#options;
    if (confirmed === undefined) return false;
    try {
      // A copy of its own: what it writes on must not get past the contract to the tool.
      return (await confirmed(structuredClone(args), ...rest)) === true;
    } catch {
      report(
        "confirmed",
        this.#contract.name,
        () => `the confirmed function of the tool "${this.#contract.name}" threw; the call was refused`,
      );
      return false;
    }
  }

  #callId(parameters: readonly unknown[]): string | undefined {
    try {
      const id: unknown = this.#prepared.callId?.(...parameters);
      return typeof id === "string" ? id : undefined;
    } catch {
      return undefined;
    }
  }

  #refuse(error: unknown): unknown {
    const { onRefusal } = this.#options;
    if (onRefusal === undefined || !TrustablError.isInstance(error)) throw error;
    return onRefusal(error);
  }
}

interface Admission {
  readonly observer: CallObserver | undefined;
  /** The parameter that replaces the arguments that came. */
  readonly admitted: readonly unknown[];
  readonly refusal: { readonly error: unknown } | undefined;
}

function prepare(contract: Contract, options: AnyToolOptions, layer: CallLayer | undefined): PreparedTool {
  const { name, sideEffect, sensitive } = contract;
  const prepared = prepareTool({
    name,
    sideEffect,
    isEmpty: options.isEmpty,
    volatileKeys: options.volatileKeys,
    fingerprint: options.fingerprint,
    span: options.span,
    trustActiveSpan: options.trustActiveSpan,
    run: options.run,
    callId: options.callId ?? ((_args, ...rest: unknown[]) => callIdIn(rest)),
    args: (args: unknown) => (typeof args === "string" ? JSON.parse(args) : args),
    errorClass: (error, result) => {
      if (error instanceof ContractViolationError) return "schema";
      return layer?.errorClass?.(error) ?? options.errorClass?.(error, result);
    },
  } as Parameters<typeof prepareTool>[0]);
  return { ...prepared, sensitive };
}

function isGeneratorFunction(value: object): boolean {
  return (value as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag] === "AsyncGeneratorFunction";
}

function isGenerator(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { next?: unknown }).next === "function" &&
    typeof (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === "function"
  );
}
