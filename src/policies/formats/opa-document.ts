/**
 * The text that OPA hashes for a structured file (`.manifest`, `data.json`): white space out, members in order of
 * their names' UTF-8 bytes, strings as Go writes them, numbers as they stand.
 *
 * `JSON.parse` would turn `1.0` into `1` and lose digits of long numbers, so the tokens are rewritten instead.
 *
 * @module
 */

const TOKEN = /[ \t\n\r]*(?:("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)|(true|false|null)|([{}[\],:]))/y;
const MAX_DEPTH = 500;

/** OPA's text for a JSON document; `undefined` when it is not JSON, or nested deeper than 500. */
export function opaDocumentText(json: string): string | undefined {
  try {
    JSON.parse(json);
    return rewrite(json);
  } catch {
    return undefined;
  }
}

// `json` is known to be valid, so only the shape of tokens is looked at.
function rewrite(json: string): string {
  let at = 0;
  const next = (): RegExpExecArray => {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(json);
    if (token === null) throw new SyntaxError();
    at = TOKEN.lastIndex;
    return token;
  };

  const value = (token: RegExpExecArray, depth: number): string => {
    if (depth > MAX_DEPTH) throw new RangeError();
    const [, string, number, word, sign] = token;
    if (string !== undefined) return goString(JSON.parse(string) as string);
    if (sign === "{") return object(depth);
    return sign === "[" ? list(depth) : (number ?? word ?? "");
  };

  const object = (depth: number): string => {
    const members = new Map<string, string>();
    for (let token = next(); token[4] !== "}"; token = next()) {
      if (token[4] === ",") continue;
      const name = JSON.parse(token[1] ?? "") as string;
      next();
      members.set(name, value(next(), depth + 1));
    }
    const sorted = [...members].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    return `{${sorted.map(([name, text]) => `${goString(name)}:${text}`).join(",")}}`;
  };

  const list = (depth: number): string => {
    const items: string[] = [];
    for (let token = next(); token[4] !== "]"; token = next()) {
      if (token[4] !== ",") items.push(value(token, depth + 1));
    }
    return `[${items.join(",")}]`;
  };

  return value(next(), 0);
}

// Go escapes the two line separators of JavaScript, also where it is told to leave HTML alone.
function goString(text: string): string {
  return JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
