/**
 * The class of a failure, from unambiguous facts on the thrown value only: a numeric HTTP status, a timeout's name or
 * code, a validation error's shape. Never from a class name, which minifiers change, and never from message text,
 * which people change. Facts that disagree give no class.
 *
 * @module
 */
import type { ErrorClass } from "../attributes/registry.ts";

/** Codes of the errors that Node.js and its HTTP clients throw on a timeout. */
const TIMEOUT_CODE = /^(?:ETIMEDOUT|ESOCKETTIMEDOUT|UND_ERR_[A-Z]+(?:_[A-Z]+)*_TIMEOUT)$/;

/** Where HTTP clients put the numeric status: on the error, on its response, or in its metadata. */
const STATUS_PATHS = [
  ["status"],
  ["statusCode"],
  ["response", "status"],
  ["response", "statusCode"],
  ["$metadata", "httpStatusCode"],
] as const;

/** The class of a thrown value, or `undefined` where it is not known for sure. Never throws. */
export function errorClassOf(error: unknown): ErrorClass | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const classes = new Set<ErrorClass>();
  for (const path of STATUS_PATHS) {
    const found = classOfStatus(read(error, path));
    if (found !== undefined) classes.add(found);
  }
  if (isTimeout(error)) classes.add("timeout");
  if (isValidationError(error)) classes.add("schema");
  const [only] = classes;
  return classes.size === 1 ? only : undefined;
}

function classOfStatus(status: unknown): ErrorClass | undefined {
  if (typeof status !== "number" || !Number.isInteger(status)) return undefined;
  if (status === 401 || status === 403 || status === 407) return "auth";
  if (status >= 400 && status <= 499) return "4xx";
  return status >= 500 && status <= 599 ? "5xx" : undefined;
}

// An AbortError is not a timeout: somebody changed their mind.
function isTimeout(error: object): boolean {
  if (read(error, ["name"]) === "TimeoutError") return true;
  const code = read(error, ["code"]);
  return typeof code === "string" && TIMEOUT_CODE.test(code);
}

// Standard Schema, Zod and Valibot list `issues`; Ajv lists `errors` with a keyword and an instance path.
function isValidationError(error: object): boolean {
  return (
    everyEntry(
      read(error, ["issues"]),
      (issue) =>
        typeof read(issue, ["message"]) === "string" &&
        (Array.isArray(read(issue, ["path"])) || typeof read(issue, ["kind"]) === "string"),
    ) ||
    everyEntry(
      read(error, ["errors"]),
      (issue) =>
        typeof read(issue, ["keyword"]) === "string" && typeof read(issue, ["instancePath"]) === "string",
    )
  );
}

/** Entries looked at: enough to tell what a list holds, whatever its length. */
const MAX_ENTRIES = 20;

function everyEntry(list: unknown, test: (entry: object) => boolean): boolean {
  try {
    if (!Array.isArray(list) || list.length === 0) return false;
    return list
      .slice(0, MAX_ENTRIES)
      .every((entry) => typeof entry === "object" && entry !== null && test(entry));
  } catch {
    return false;
  }
}

// Thrown values belong to others: a getter or a proxy that throws is a fact that is not there.
function read(value: object, path: readonly string[]): unknown {
  try {
    let at: unknown = value;
    for (const name of path) at = (at as Record<string, unknown> | null | undefined)?.[name];
    return at;
  } catch {
    return undefined;
  }
}
