/**
 * Labels for a set of tools by name, each with a function `execute`: the form that several frameworks have in common.
 *
 * @module
 */
import { isSensitive } from "../tool/sensitive.ts";
import type { PreparedTool, ToolFunction } from "../tool/tool-definition.ts";
import { wrapPreparedTool } from "../tool/wrap-tool.ts";

/** Tools by name. */
export type ToolSet = Readonly<Record<string, object>>;

/**
 * Labels every tool of a set that has an `execute` function.
 *
 * @param prepare checks a definition and adds what the framework knows
 * @returns a set of the same type: tools without `execute` are the same objects, the others are copies
 * @throws RangeError on a definition for a tool that the set does not have
 */
export function labelToolSet<Tools extends ToolSet>(
  tools: Tools,
  definitions: Readonly<Record<string, object | undefined>>,
  prepare: (name: string, definition: object | undefined) => PreparedTool,
): Tools {
  if (typeof tools !== "object" || tools === null) {
    throw new TypeError("labelTools expected a tool set as its first parameter: tools by name");
  }
  const unknown = Object.keys(definitions).find((name) => !Object.hasOwn(tools, name));
  if (unknown !== undefined) {
    throw new RangeError(
      `labelTools was given a definition for "${unknown}", and the tool set has no such tool; its tools are ${Object.keys(tools).join(", ")}`,
    );
  }
  const labelled = Object.entries(tools).map(([name, tool]) => {
    const own = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    return [name, labelTool(tool, prepare(name, own))];
  });
  return Object.fromEntries(labelled) as Tools;
}

function labelTool(tool: object, prepared: PreparedTool): object {
  const execute: unknown = (tool as { execute?: unknown } | null)?.execute;
  if (typeof execute !== "function") return tool;
  // A copy with everything the tool has. `execute` stays bound to the tool itself, whose private fields a copy lacks.
  const known = isSensitive(execute) ? { ...prepared, sensitive: true } : prepared;
  const wrapped = wrapPreparedTool(known, execute.bind(tool) as ToolFunction);
  return Object.create(Object.getPrototypeOf(tool) as object | null, {
    ...Object.getOwnPropertyDescriptors(tool),
    execute: { value: wrapped, enumerable: true, configurable: true, writable: true },
  }) as object;
}
