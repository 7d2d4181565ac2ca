/**
 * A schema of another library as data, once. What the data cannot say is an error: a rule that is in the code but not in
 * the data would hold in tests and nowhere else.
 *
 * @module
 */
import type { Fail } from "../contract-error.ts";
import type { JsonValue } from "../schema.ts";
import type { StandardSource } from "../standard-schema.ts";
import { zodLoss } from "./zod-loss.ts";

/** True for a Standard Schema of whatever library. */
export function isStandardSource(input: unknown): input is StandardSource {
  return (
    (typeof input === "object" || typeof input === "function") &&
    input !== null &&
    typeof (input as { "~standard"?: unknown })["~standard"] === "object"
  );
}

/** @throws through `fail` when the library has no JSON Schema for it, or one that says less */
export function fromStandardSchema(source: StandardSource, fail: Fail): unknown {
  const { jsonSchema, vendor } = source["~standard"];
  if (typeof jsonSchema?.input !== "function") {
    return fail("conversion", "/input", "a Standard Schema that has ~standard.jsonSchema");
  }
  const loss = vendor === "zod" ? zodLoss(source) : undefined;
  if (loss !== undefined) return fail("conversion", "/input", loss);
  let converted: Record<string, unknown>;
  try {
    converted = jsonSchema.input({ target: "draft-2020-12" });
  } catch {
    return fail("conversion", "/input", "a schema that its own library can convert to JSON Schema");
  }
  const { $schema: _, ...schema } = converted;
  return withoutUnionsWithNull(schema);
}

type Node = { readonly [keyword: string]: JsonValue };

// Libraries write "or null" as a union, which is the one union that `type` can say.
function withoutUnionsWithNull(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutUnionsWithNull);
  if (typeof schema !== "object" || schema === null) return schema;
  const node = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [
      keyword,
      keyword === "properties"
        ? mapValues(value, withoutUnionsWithNull)
        : keyword === "items"
          ? withoutUnionsWithNull(value)
          : value,
    ]),
  ) as Node;
  const { anyOf, ...others } = node;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return node;
  const rest = anyOf.filter((branch) => !isNull(branch as Node));
  if (rest.length !== 1) return node;
  const one = withoutUnionsWithNull(rest[0]) as Node;
  if (typeof one.type !== "string" || Object.hasOwn(one, "const")) return node;
  return {
    ...one,
    ...others,
    type: [one.type, "null"],
    ...(Array.isArray(one.enum) && { enum: [...one.enum, null] }),
  };
}

function isNull(branch: Node): boolean {
  return branch.type === "null" && Object.keys(branch).length === 1;
}

function mapValues(object: unknown, change: (value: unknown) => unknown): unknown {
  if (typeof object !== "object" || object === null) return object;
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}
