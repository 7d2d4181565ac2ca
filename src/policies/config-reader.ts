/**
 * Reads one untrusted configuration object: every field once, each with a type, and none left over.
 *
 * A field that nobody asked for is an error and not ignored: a mistyped `predicateType` would otherwise switch a
 * check off without a word.
 *
 * @module
 */
import { PolicyError } from "./policy-error.ts";

const MAX_TEXT = 4096;

/** Is this an object with fields, as opposed to a list or a single value? */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export class ConfigReader {
  readonly #fields: Map<string, unknown>;
  readonly #where: string;

  /** @param where what is being read, in words of this package: `"the policy"` */
  constructor(value: unknown, where: string) {
    if (!isRecord(value)) throw new PolicyError("config_invalid", `Expected an object as ${where}.`);
    this.#fields = new Map(Object.entries(value).filter(([, field]) => field !== undefined));
    this.#where = where;
  }

  has(name: string): boolean {
    return this.#fields.has(name);
  }

  /** The raw value; the caller checks it. */
  take(name: string): unknown {
    const value = this.#fields.get(name);
    this.#fields.delete(name);
    return value;
  }

  text(name: string): string {
    return this.optionalText(name) ?? this.refuse(name, "text");
  }

  optionalText(name: string): string | undefined {
    const value = this.take(name);
    if (value === undefined) return undefined;
    if (typeof value !== "string" || value.length === 0 || value.length > MAX_TEXT || !value.isWellFormed()) {
      return this.refuse(name, `1 to ${MAX_TEXT} characters of text`);
    }
    return value;
  }

  oneOf<const Value extends string>(name: string, values: readonly Value[]): Value {
    const value = this.text(name);
    return values.find((one) => one === value) ?? this.refuse(name, `one of ${values.join(", ")}`);
  }

  optionalFlag(name: string): boolean | undefined {
    const value = this.take(name);
    return value === undefined || typeof value === "boolean" ? value : this.refuse(name, "true or false");
  }

  optionalCount(name: string, maximum: number): number | undefined {
    const value = this.take(name);
    if (value === undefined) return undefined;
    const fits = typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= maximum;
    return fits ? value : this.refuse(name, `an integer from 1 to ${maximum}`);
  }

  /** A reader for the object in a field. */
  nested(name: string): ConfigReader {
    return new ConfigReader(this.take(name), `"${name}"`);
  }

  list(name: string, maximum: number): readonly unknown[] {
    const value = this.take(name);
    return Array.isArray(value) && value.length <= maximum
      ? value
      : this.refuse(name, `a list of at most ${maximum}`);
  }

  /** Refuses what nobody asked for. The field is not named: its name is content of a file. */
  finish(): void {
    if (this.#fields.size > 0) {
      throw new PolicyError(
        "config_invalid",
        `There is a field in ${this.#where} that has no meaning there.`,
      );
    }
  }

  refuse(name: string, expected: string): never {
    throw new PolicyError("config_invalid", `Expected ${expected} as "${name}" in ${this.#where}.`);
  }
}
