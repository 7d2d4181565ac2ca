/**
 * What a tool lets the model send, as plain JSON Schema: from JSON Schema itself, from the AI SDK's `Schema`, or from a
 * library that speaks Standard JSON Schema (zod 4.2 and newer, valibot with its converter, ArkType).
 *
 * @module
 */
import { isForeign, type Looking } from "../looking.ts";
import { isPlainObject, type PlainObject, plainCopy } from "./plain-copy.ts";

/** What a tool lets the model send. */
export interface InputSchema {
  readonly root: PlainObject;
  /**
   * True when the validator drops members that the schema does not name, so that an object which does not mention
   * `additionalProperties` still lets nothing through.
   */
  readonly dropsUnknown: boolean;
}

// Libraries whose plain objects drop what they do not name. ArkType's keep it.
const DROPPING_VENDORS = ["zod", "valibot"];
// Objects of zod's small variant, and functions that give functions.
const DEEPEST = 32;
const TARGET = { target: "draft-2020-12" };

/** The input schema; `undefined` where it cannot be read. */
export function inputSchemaOf(value: unknown, look: Looking, depth = 0): InputSchema | undefined {
  if (!isForeign(value) || depth > DEEPEST) return undefined;
  const standard = look.member(value, "~standard");
  if (isForeign(standard)) return fromStandard(standard, look) ?? fromZodObject(value, look, depth);
  // The AI SDK also takes a function that makes the schema, and wraps JSON Schema in an object of its own.
  if (typeof value === "function") {
    const made = look.result(() => value());
    return inputSchemaOf(made, look, depth + 1);
  }
  const wrapped = look.object(value, "jsonSchema");
  if (wrapped !== undefined) return fromJson(wrapped, look.hasFunction(value, "validate"), look);
  if (looksLikeZod3(value, look)) return undefined;
  return fromJson(value, false, look);
}

/** The input schema of a record of member schemas, the form that the Claude Agent SDK's `tool()` takes. */
export function inputSchemaOfShape(shape: unknown, look: Looking, depth = 0): InputSchema | undefined {
  if (!isForeign(shape)) return undefined;
  if (isForeign(look.member(shape, "~standard"))) return inputSchemaOf(shape, look, depth + 1);
  const properties: Record<string, PlainObject> = Object.create(null);
  const required: string[] = [];
  for (const [name, member] of look.entries(shape)) {
    const schema = inputSchemaOf(member, look, depth + 1);
    if (schema === undefined) return undefined;
    properties[name] = schema.root;
    if (!OPTIONAL.has(look.text(look.object(member, "def"), "type") ?? "")) required.push(name);
  }
  const root = Object.assign(Object.create(null), { type: "object", properties, required });
  return { root, dropsUnknown: true };
}

const OPTIONAL = new Set(["optional", "default", "prefault"]);

function fromStandard(standard: object, look: Looking): InputSchema | undefined {
  const json = look.member(standard, "jsonSchema");
  const input = look.member(json, "input");
  if (typeof input !== "function") return undefined;
  const schema = look.result(() => Reflect.apply(input, json, [TARGET]));
  const vendor = look.text(standard, "vendor") ?? "";
  return fromJson(schema, DROPPING_VENDORS.includes(vendor), look);
}

// MCP servers put the members that they are given into an object of zod's small variant, which has no JSON Schema to tell;
// its members have.
function fromZodObject(value: object, look: Looking, depth: number): InputSchema | undefined {
  const definition = look.object(value, "def");
  const shape = look.object(definition, "shape");
  if (look.text(definition, "type") !== "object" || look.member(definition, "catchall") !== undefined) {
    return undefined;
  }
  return inputSchemaOfShape(shape, look, depth + 1);
}

function fromJson(value: unknown, dropsUnknown: boolean, look: Looking): InputSchema | undefined {
  // A promise is a schema that is not there yet.
  if (!isForeign(value) || look.hasFunction(value, "then")) return undefined;
  const root = plainCopy(value, look);
  return isPlainObject(root) ? { root, dropsUnknown } : undefined;
}

const looksLikeZod3 = (value: object, look: Looking): boolean =>
  look.text(look.object(value, "_def"), "typeName") !== undefined;
