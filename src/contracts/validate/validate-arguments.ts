/**
 * Arguments against a contract: copied, checked, answered. Never throws.
 *
 * @module
 */
import { copyArguments, DataFault } from "../json-data.ts";
import { parseJson } from "../json-text.ts";
import type { JsonValue } from "../schema.ts";
import type { Validation, ValidationOptions } from "../validation.ts";
import { problemsOf } from "./check.ts";
import { dropNulls, fillDefaults } from "./fill.ts";
import { refused } from "./message.ts";
import type { PreparedSchema } from "./prepared-schema.ts";

/** Holds arguments, an object or its JSON text, against a prepared schema. */
export function validateArguments(
  args: unknown,
  schema: PreparedSchema,
  { applyDefaults = false, nullIsMissing = true }: ValidationOptions = {},
): Validation<JsonValue> {
  try {
    const { copy: value, hasNull } = copyArguments(typeof args === "string" ? parseJson(args) : args);
    if (hasNull && nullIsMissing) dropNulls(value, schema);
    const problems = problemsOf(value, schema);
    if (problems.length > 0) return refused(problems);
    if (applyDefaults) fillDefaults(value, schema);
    return { ok: true, value };
  } catch (fault) {
    // Whatever a getter or a proxy threw is nobody's business here.
    const { keyword, expected } = DataFault.is(fault) ? fault : UNREADABLE;
    return refused([{ path: "", keyword, expected }]);
  }
}

const UNREADABLE = new DataFault("json", "JSON data");
