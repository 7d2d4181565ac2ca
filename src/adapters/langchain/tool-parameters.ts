/**
 * What LangChain's `tool()` is given: a function, and what the model is shown of it.
 *
 * @module
 */
import type { StandardProperties } from "../../contracts/index.ts";
import { isSensitive, SENSITIVE } from "../../tool/sensitive.ts";

/** What LangChain gives a tool besides its arguments, as far as it is used here. */
export interface CallConfig {
  readonly toolCallId?: string | undefined;
  readonly toolCall?: { readonly id?: string | undefined } | undefined;
}

/** The two parameters of LangChain's `tool()`. */
export type LangChainToolParameters<Name extends string, Config, Result> = [
  func: (input: unknown, config: Config) => Promise<Awaited<Result>>,
  fields: {
    /** The contract's name. */
    name: Name;
    /** The contract's description, for the model. */
    description: string;
    /** A Standard Schema, typed as a JSON Schema: LangChain takes both, and its types know only this one. */
    schema: { type: "object" };
  },
];

/** The parameters of `tool()` for a function that holds the arguments against `shown`, or more, by itself. */
export function parametersOf<Name extends string, Config, Result>(
  name: Name,
  shown: { readonly description: string; readonly "~standard": StandardProperties<unknown> },
  func: unknown,
): LangChainToolParameters<Name, Config, Result> {
  return [
    func as LangChainToolParameters<Name, Config, Result>[0],
    {
      name,
      description: shown.description,
      schema: shownOnly(shown["~standard"], isSensitive(func)) as { type: "object" },
    },
  ];
}

/**
 * The schema for the model, and nothing that LangChain's own validator reads: it would refuse with a sentence that says
 * nothing of what was wrong. That validator also writes on schemas, so a frozen one makes every call fail.
 */
function shownOnly(standard: StandardProperties<unknown>, sensitive: boolean): object {
  // The mark is on the schema, since LangChain wraps the function.
  return Object.defineProperties({}, { "~standard": { value: standard }, [SENSITIVE]: { value: sensitive } });
}
