/**
 * LangChain: structured tools, and agents of `createAgent`.
 *
 * @module
 */
import type { Looking } from "../looking.ts";
import { inputSchemaOf } from "../schema/input-schema.ts";
import { type Found, foundTool, innerOf, type Place, saysSomething } from "./found.ts";

/** What it is; `undefined` for what is not of this framework. */
export function recogniseLangchain(value: object, place: Place, look: Looking): Found | undefined {
  const name = look.text(value, "name");
  const namespace = look.texts(look.member(value, "lc_namespace")) ?? [];
  if (name !== undefined && namespace.includes("tools") && look.hasFunction(value, "invoke")) {
    return tool(value, name, look);
  }
  return agent(value, place, look);
}

function tool(value: object, name: string, look: Looking): Found {
  const description = look.text(value, "description");
  // What `tool()` writes where nobody gave a description.
  const isFilledIn = description === `${name} tool`;
  return foundTool({
    framework: "langchain",
    name,
    label: name,
    hasDescription: !isFilledIn && saysSomething(description, name),
    input: inputSchemaOf(look.member(value, "schema"), look),
    sideEffect: undefined,
    confirm: undefined,
  });
}

function agent(value: object, { label }: Place, look: Looking): Found | undefined {
  const options = look.object(value, "options");
  const tools = look.list(look.member(options, "tools"));
  if (
    tools === undefined ||
    look.member(options, "model") === undefined ||
    !look.hasFunction(value, "invoke")
  ) {
    return undefined;
  }
  const name = look.text(options, "name") ?? label;
  return {
    subjects: [{ kind: "agent", framework: "langchain", label: name, bash: undefined }],
    inner: innerOf(tools, name),
    skipped: [],
  };
}
