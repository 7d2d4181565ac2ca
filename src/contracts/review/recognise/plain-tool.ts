/**
 * Tools as plain data: MCP's form, and those of the model providers.
 *
 * @module
 */
import { isForeign, type Looking } from "../looking.ts";
import { inputSchemaOf } from "../schema/input-schema.ts";
import { type Found, foundTool, saysSomething } from "./found.ts";

/** What it is; `undefined` for what is no tool. */
export function recognisePlainTool(value: object, look: Looking): Found | undefined {
  // OpenAI's chat form puts the definition one level down.
  const definition = look.object(value, "function") ?? value;
  const name = look.text(definition, "name");
  const input = ["input_schema", "inputSchema", "parameters"]
    .map((member) => look.member(definition, member))
    .find(isForeign);
  if (name === undefined || input === undefined) return undefined;
  return foundTool({
    framework: "other",
    name,
    label: name,
    hasDescription: saysSomething(look.text(definition, "description"), name),
    input: inputSchemaOf(input, look),
    sideEffect: undefined,
    confirm: undefined,
  });
}
