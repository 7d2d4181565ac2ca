/**
 * What zod's own conversion to JSON Schema leaves out without a word: refinements, transformations, coercions, flags of
 * expressions. Read from the public definition tree (`_zod.def`), so that no zod is needed here. A list of what is kept,
 * not of what is lost: what a newer zod adds is refused until somebody has looked at it.
 *
 * @module
 */

interface ZodDefinition {
  readonly type?: unknown;
  readonly check?: unknown;
  readonly checks?: readonly { readonly _zod?: { readonly def?: ZodDefinition } }[];
  readonly coerce?: unknown;
  readonly pattern?: unknown;
  readonly [member: string]: unknown;
}

const KEPT_TYPES = new Set(
  "string number boolean null enum literal array object optional nullable default readonly union".split(" "),
);
const KEPT_CHECKS = new Set(
  "min_length max_length length_equals string_format less_than greater_than multiple_of number_format".split(
    " ",
  ),
);

const MAX_VISITS = 100_000;

/** What would get lost, as what would be allowed; `undefined` when nothing would. */
export function zodLoss(schema: unknown): string | undefined {
  const waiting: unknown[] = [schema];
  for (let visit = 0; visit < waiting.length; visit++) {
    if (visit > MAX_VISITS) return "a zod schema of a bounded size";
    const definition = definitionOf(waiting[visit]);
    if (definition === undefined) return "a schema of zod 4";
    const loss = lossOf(definition);
    if (loss !== undefined) return loss;
    waiting.push(...partsOf(definition));
  }
  return undefined;
}

function definitionOf(schema: unknown): ZodDefinition | undefined {
  return (schema as { readonly _zod?: { readonly def?: ZodDefinition } } | null | undefined)?._zod?.def;
}

function lossOf(definition: ZodDefinition): string | undefined {
  if (!KEPT_TYPES.has(String(definition.type))) {
    return "a zod schema of types that are data: no transform, pipe, lazy, date, bigint, map, set or custom type";
  }
  if (definition.coerce === true) return "a zod schema without coercion";
  for (const check of [definition, ...(definition.checks ?? []).map((one) => one._zod?.def)]) {
    if (check?.check === undefined) continue;
    if (!KEPT_CHECKS.has(String(check.check))) {
      return "a zod schema without refinements and changes of the value: what a function decides is no data";
    }
    if (check.pattern instanceof RegExp && !/^u?$/.test(check.pattern.flags)) {
      return "a zod schema whose expressions have no flags but u";
    }
  }
  return undefined;
}

function partsOf(definition: ZodDefinition): readonly unknown[] {
  const { shape, element, innerType, options } = definition;
  return [
    ...(typeof shape === "object" && shape !== null ? Object.values(shape) : []),
    ...[element, innerType].filter((part) => part !== undefined),
    ...(Array.isArray(options) ? options : []),
  ];
}
