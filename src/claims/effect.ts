/**
 * What a call touches, taken from its arguments by the contract's word. The model's word is the claim.
 *
 * @module
 */
import { type ContractEffect, OPERATIONS, type Operation } from "../contracts/contract.ts";
import { valueAt } from "./pointer.ts";

/** What one call touches. */
export interface CallEffect {
  readonly operation: Operation;
  readonly resourceType: string | null;
  readonly resourceIds: readonly string[];
  readonly items: number;
  readonly destination: string | null;
}

/** True for one of the operations. */
export function isOperation(value: unknown): value is Operation {
  return OPERATIONS.includes(value as Operation);
}

/**
 * What a call with these arguments touches; `undefined` when the contract cannot tell. An argument that was left out is
 * not "nothing": the tool may have a default that reaches further than any argument.
 */
export function effectOf(declared: ContractEffect | undefined, args: unknown): CallEffect | undefined {
  if (declared === undefined || !isOperation(declared.operation)) return undefined;
  const resourceIds = declared.resourceIds === undefined ? [] : textsAt(args, declared.resourceIds);
  const destination = declared.destination === undefined ? null : textAt(args, declared.destination);
  if (resourceIds === undefined || destination === undefined) return undefined;
  const items = itemsOf(declared.maxItems, args, resourceIds.length);
  if (items === undefined) return undefined;
  return {
    operation: declared.operation,
    resourceType: declared.resourceType ?? null,
    resourceIds,
    items,
    destination,
  };
}

function itemsOf(declared: number | string | undefined, args: unknown, ids: number): number | undefined {
  if (declared === undefined) return ids;
  const items = typeof declared === "number" ? declared : valueAt(args, declared);
  // A list of more identifiers than the count says is what the call touches.
  return typeof items === "number" && items >= 0 ? Math.max(items, ids) : undefined;
}

function textAt(args: unknown, pointer: string): string | undefined {
  const value = valueAt(args, pointer);
  return typeof value === "string" ? value : undefined;
}

function textsAt(args: unknown, pointer: string): readonly string[] | undefined {
  const value = valueAt(args, pointer);
  const texts = Array.isArray(value) ? [...value] : [value];
  // Numbers are identifiers too; everything else is not one that could be compared.
  const named = texts.map((text) => (typeof text === "number" ? String(text) : text));
  return named.every((text) => typeof text === "string") ? named : undefined;
}
