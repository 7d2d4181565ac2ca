/**
 * Holds data against a schema of the subset, keyword by keyword, as JSON Schema 2020-12 says.
 *
 * An interpreter of our own, because the subset is small enough to be read in one sitting, and because neither engine that
 * was measured fits: docs/decisions has the numbers.
 *
 * @module
 */
import { MAX_PROBLEMS } from "../bounds.ts";
import { jsonKey } from "../json-key.ts";
import { below } from "../json-pointer.ts";
import type { JsonValue, TypeName } from "../schema.ts";
import type { Problem } from "../validation.ts";
import { describeMembers, describeSchema } from "./describe.ts";
import { isMultipleOf } from "./multiple-of.ts";
import type { PreparedSchema } from "./prepared-schema.ts";

/** The first problems of `value`; none when it is allowed. `value` is data: plain, finite, not too deep. */
export function problemsOf(value: JsonValue, schema: PreparedSchema): readonly Problem[] {
  const checker = new Checker();
  checker.check(value, schema);
  return checker.problems;
}

type Members = { readonly [name: string]: JsonValue };

class Checker {
  readonly problems: Problem[] = [];
  // Steps to the value, of which a pointer is made for a problem only: most calls have none.
  readonly #steps: (string | number)[] = [];

  check(value: JsonValue, prepared: PreparedSchema): void {
    if (this.problems.length >= MAX_PROBLEMS) return;
    const mismatch = mismatchOf(value, prepared);
    if (mismatch !== undefined) this.#tell(mismatch, prepared);
    else if (typeof value === "string") this.#string(value, prepared);
    else if (typeof value === "number") this.#number(value, prepared);
    else if (Array.isArray(value)) this.#array(value, prepared);
    else if (typeof value === "object" && value !== null) this.#object(value as Members, prepared);
  }

  // One problem per string: the lengths bound what the pattern is run on.
  #string(value: string, prepared: PreparedSchema): void {
    const { minLength, maxLength, pattern } = prepared;
    if (value.length > maxLength && isLonger(value, maxLength)) this.#tell("maxLength", prepared);
    else if (minLength > 0 && !isLonger(value, minLength - 1)) this.#tell("minLength", prepared);
    else if (pattern !== undefined && !pattern.test(value)) this.#tell("pattern", prepared);
  }

  #number(value: number, prepared: PreparedSchema): void {
    const { multipleOf } = prepared;
    if (value < prepared.minimum) this.#tell("minimum", prepared);
    if (value > prepared.maximum) this.#tell("maximum", prepared);
    if (value <= prepared.exclusiveMinimum) this.#tell("exclusiveMinimum", prepared);
    if (value >= prepared.exclusiveMaximum) this.#tell("exclusiveMaximum", prepared);
    if (multipleOf !== undefined && !isMultipleOf(value, multipleOf)) this.#tell("multipleOf", prepared);
  }

  #array(value: readonly JsonValue[], prepared: PreparedSchema): void {
    const { items } = prepared;
    if (value.length < prepared.minItems) this.#tell("minItems", prepared);
    if (value.length > prepared.maxItems) {
      this.#tell("maxItems", prepared);
      return;
    }
    if (prepared.uniqueItems && new Set(value.map(jsonKey)).size < value.length) {
      this.#tell("uniqueItems", prepared);
    }
    if (items === undefined) return;
    for (let index = 0; index < value.length && this.problems.length < MAX_PROBLEMS; index++) {
      this.#steps.push(index);
      this.check(value[index]!, items);
      this.#steps.pop();
    }
  }

  #object(value: Members, prepared: PreparedSchema): void {
    const { members, required } = prepared;
    for (const name of required) {
      if (!Object.hasOwn(value, name)) this.#tell("required", members.get(name), name);
    }
    let { closed } = prepared;
    for (const name of Object.keys(value)) {
      const member = members.get(name);
      if (member !== undefined) {
        this.#steps.push(name);
        this.check(value[name]!, member);
        this.#steps.pop();
      } else if (closed) {
        // Once, and without the name: it is the model's text.
        closed = false;
        this.#tell("additionalProperties", prepared);
      }
    }
  }

  #tell(keyword: string, prepared: PreparedSchema | undefined, ...further: readonly string[]): void {
    if (this.problems.length >= MAX_PROBLEMS) return;
    const describe = keyword === "additionalProperties" ? describeMembers : describeSchema;
    this.problems.push({
      path: [...this.#steps, ...further].reduce<string>(below, ""),
      keyword,
      expected: describe(prepared?.schema ?? {}),
    });
  }
}

/** What makes every other keyword meaningless. */
function mismatchOf(value: JsonValue, { types, allowed }: PreparedSchema): string | undefined {
  if (types !== undefined && !hasType(value, types)) return "type";
  for (const [keyword, values] of allowed) if (!values.has(value)) return keyword;
  return undefined;
}

function hasType(value: JsonValue, types: ReadonlySet<TypeName>): boolean {
  switch (typeof value) {
    case "number":
      return types.has("number") || (types.has("integer") && Number.isInteger(value));
    case "object":
      return types.has(value === null ? "null" : Array.isArray(value) ? "array" : "object");
    default:
      return types.has(typeof value as TypeName);
  }
}

/** Whether a string has more than `limit` code points. */
function isLonger(value: string, limit: number): boolean {
  if (value.length <= limit) return false;
  if (value.length > 2 * limit + 1) return true;
  let length = 0;
  for (const _ of value) if (++length > limit) return true;
  return false;
}
