/**
 * Every value that an input schema lets the model choose.
 *
 * @module
 */
import type { InputSchema } from "./input-schema.ts";
import { isPlainObject, type Plain, type PlainObject } from "./plain-copy.ts";

/** A value that the model chooses. */
export interface SchemaNode {
  /** Its schema, references followed and `allOf` put together. Empty for "anything". */
  readonly schema: PlainObject;
  /** Where it is, as steps of a JSON pointer. */
  readonly at: readonly string[];
  /** Its types; empty where the schema names none. */
  readonly types: readonly string[];
  /** True when the schema lists every value that is allowed. */
  readonly isListed: boolean;
}

// References let a small schema stand for a huge one; no rule needs more than this to have something to say.
const MOST_NODES = 5_000;
const LONGEST_CHAIN = 16;

/** An input schema with every node of it, the root first. */
export interface WalkedInput extends InputSchema {
  readonly nodes: readonly SchemaNode[];
  /** True when there are more nodes than are looked at. */
  readonly isCut: boolean;
}

/** Walks the schema. A reference that leads back to where it comes from is followed once. */
export function walk(input: InputSchema): WalkedInput {
  const { root } = input;
  const nodes: SchemaNode[] = [];
  const open: Visit[] = [{ schema: root, at: [], within: [] }];
  while (open.length > 0 && nodes.length < MOST_NODES) {
    const { schema, at, within } = open.pop() as Visit;
    const { merged, through } = resolved(schema, root);
    if (through.some((target) => within.includes(target))) continue;
    const inside = [...within, ...through];
    nodes.push({
      schema: merged,
      at,
      types: typesOf(merged),
      isListed: "enum" in merged || "const" in merged,
    });
    for (const [steps, child] of childrenOf(merged)) {
      open.push({ schema: child, at: [...at, ...steps], within: inside });
    }
  }
  return { ...input, nodes, isCut: open.length > 0 };
}

interface Visit {
  readonly schema: Plain;
  readonly at: readonly string[];
  readonly within: readonly PlainObject[];
}

function resolved(
  schema: Plain,
  root: PlainObject,
): { readonly merged: PlainObject; readonly through: readonly PlainObject[] } {
  const through: PlainObject[] = [];
  // `true` allows anything, as `{}` does.
  let merged: PlainObject = isPlainObject(schema) ? schema : {};
  for (let step = 0; step < LONGEST_CHAIN; step += 1) {
    const target = typeof merged.$ref === "string" ? targetOf(merged.$ref, root) : undefined;
    if (target !== undefined) {
      through.push(target);
      const { $ref: _, ...rest } = merged;
      merged = { ...target, ...rest };
    } else if (Array.isArray(merged.allOf)) {
      const { allOf, ...rest } = merged;
      merged = Object.assign({}, ...(allOf as Plain[]).filter(isPlainObject), rest);
    } else {
      break;
    }
  }
  return { merged, through };
}

function targetOf(reference: string, root: PlainObject): PlainObject | undefined {
  if (!reference.startsWith("#")) return undefined;
  let found: Plain | undefined = root;
  for (const step of reference.slice(1).split("/").slice(1, LONGEST_CHAIN)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    found = isPlainObject(found) ? found[name] : undefined;
  }
  return isPlainObject(found) ? found : undefined;
}

const typesOf = ({ type }: PlainObject): string[] =>
  (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");

const CHOICES = ["anyOf", "oneOf"];

function childrenOf(schema: PlainObject): [steps: string[], child: Plain][] {
  const children: [string[], Plain][] = [];
  const properties = schema.properties;
  if (isPlainObject(properties)) {
    for (const [name, child] of Object.entries(properties)) children.push([["properties", name], child]);
  }
  for (const name of ["items", "additionalProperties"]) {
    const child = schema[name];
    if (isPlainObject(child) && Object.keys(child).length > 0) children.push([[name], child]);
  }
  for (const name of [...CHOICES, "prefixItems"]) {
    const list = schema[name];
    if (!Array.isArray(list)) continue;
    for (const [index, child] of (list as Plain[]).entries()) children.push([[name, String(index)], child]);
  }
  return children.filter(([, child]) => child !== false).reverse();
}
