/**
 * Careful looks into data that somebody else wrote.
 *
 * @module
 */

/** True for an object that is not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own member; `undefined` when there is none. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The value, or `undefined` when the text is not JSON. */
export function parseJson(text: string): unknown {
  // A cheap look first: making the error for a text that is not JSON costs more than reading it.
  if (!/^\s*[[{"\d\-tfn\ufeff]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Every string and number in the value, as text: members' values, array elements, and texts that are JSON themselves.
 * At most `limit` nodes are looked at, so that no value costs more than it is worth.
 */
export function leafTexts(value: unknown, limit: number): string[] {
  const leaves: string[] = [];
  const open: unknown[] = [value];
  for (let seen = 0; open.length > 0 && seen < limit; seen += 1) {
    const next = open.pop();
    if (typeof next === "string") {
      leaves.push(next);
    } else if (typeof next === "number" || typeof next === "bigint") {
      leaves.push(String(next));
    } else if (typeof next === "object" && next !== null && !ArrayBuffer.isView(next)) {
      for (const member of Object.values(next).slice(0, limit)) open.push(member);
    }
  }
  return leaves;
}
