/**
 * Our own contracts, as `defineTools` gives them and as their JSON.
 *
 * @module
 */
import { SIDE_EFFECTS } from "../../../attributes/registry.ts";
import type { Looking } from "../looking.ts";
import { inputSchemaOf } from "../schema/input-schema.ts";
import { type Found, foundTool, type Place, saysSomething } from "./found.ts";

/** What it is; `undefined` for what is no contract. */
export function recogniseContract(value: object, place: Place, look: Looking): Found | undefined {
  const input = look.object(value, "input");
  const confirm = look.member(value, "confirm");
  const isContract =
    input !== undefined &&
    look.text(value, "description") !== undefined &&
    (typeof confirm === "boolean" || look.text(input, "type") === "object");
  if (!isContract) return undefined;
  const sideEffect = look.text(value, "sideEffect");
  // A function's own `name` is no contract's.
  const name = look.text(value, "name") ?? (place.isName ? place.label : undefined);
  return foundTool({
    framework: "contracts",
    name,
    label: name ?? place.label,
    hasDescription: saysSomething(look.text(value, "description"), name),
    input: inputSchemaOf(input, look),
    sideEffect: SIDE_EFFECTS.find((one) => one === sideEffect),
    confirm: confirm === true,
  });
}
