/**
 * Texts and names inside SQL, and the forms of labels.
 *
 * @module
 */
import { TrustablError } from "../../errors.ts";
import { WORD_PATTERN } from "../rows/words.ts";

/** Something that no query can be made of. */
export class FindingsSqlError extends TrustablError<
  "unknown_rule" | "unknown_check" | "bad_table" | "bad_time"
> {}

// A literal, since minifiers change class names; on the prototype, since an own `name` is printed twice.
Object.defineProperty(FindingsSqlError.prototype, "name", {
  value: "FindingsSqlError",
  configurable: true,
  writable: true,
});

/** A text as a literal. */
export const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

/** Texts as a list of literals. */
export const quotedList = (texts: readonly string[]): string => texts.map(quoted).join(", ");

/**
 * The name of a table, with or without its database. ClickHouse has no parameter for the two together.
 *
 * @throws FindingsSqlError on anything that is not one or two plain names
 */
export function tableName(name: string): string {
  if (!/^[A-Za-z_]\w{0,127}(?:\.[A-Za-z_]\w{0,127})?$/.test(name)) {
    throw new FindingsSqlError(
      "bad_table",
      "a table is called by a name, or by database.name, of letters, digits and _",
    );
  }
  return name
    .split(".")
    .map((part) => `\`${part}\``)
    .join(".");
}

/** An attribute of the span; an empty text where there is none. */
export const attribute = (name: string): string => `SpanAttributes[${quoted(name)}]`;

/** An attribute of the resource. */
export const resource = (name: string): string => `ResourceAttributes[${quoted(name)}]`;

/** The value where it matches, otherwise an empty text. */
export const matching = (value: string, pattern: string): string =>
  `if(match(${value}, ${quoted(pattern)}), toString(${value}), '')`;

/** The value where it has the form of an id. */
export const id = (value: string): string =>
  `if(lengthUTF8(${value}) BETWEEN 1 AND 128 AND NOT match(${value}, ${quoted("[\\x00-\\x1f\\x7f-\\x{9f}]")}), toString(${value}), '')`;

/** The value where it is a word of another producer. */
export const word = (value: string): string => matching(value, WORD_PATTERN);

/** As `word`; a question mark where something else is there. */
export const present = (value: string): string =>
  `multiIf(${value} = '', '', match(${value}, ${quoted(WORD_PATTERN)}), toString(${value}), '?')`;

/** The value as a number where it is a count, otherwise NULL. */
export const count = (value: string, minimum: number): string =>
  `if(match(${value}, '^[0-9]{1,16}$') AND toInt64OrZero(${value}) BETWEEN ${minimum} AND 9007199254740991, toInt64OrNull(${value}), NULL)`;

/** The value where it is one of the list. */
export const oneOf = (value: string, values: readonly string[]): string =>
  `if(${value} IN (${quotedList(values)}), toString(${value}), '')`;

/** The first that is not empty. */
export const firstOf = (values: readonly string[]): string =>
  values.length === 0
    ? "''"
    : values.length === 1
      ? `toString(${values[0]})`
      : `arrayFirst(x -> x != '', [${values.map((value) => `toString(${value})`).join(", ")}])`;

/** Lines, further in. */
export const indented = (text: string, by: number): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? line : " ".repeat(by) + line))
    .join("\n");
