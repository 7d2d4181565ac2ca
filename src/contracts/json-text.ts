/**
 * Arguments that arrive as text. `JSON.parse` takes the last of two members of one name without a word, and other readers
 * take the first: what was approved would not be what is done. Two of one name are therefore no JSON here.
 *
 * @module
 */
import { MAX_DEPTH, MAX_TEXT_LENGTH } from "./bounds.ts";
import { DataFault, tooLarge } from "./json-data.ts";

/** @throws DataFault when the text is no JSON, too large, or names a member twice */
export function parseJson(text: string): unknown {
  if (text.length > MAX_TEXT_LENGTH) throw tooLarge();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DataFault("json", "a JSON object");
  }
  refuseDuplicates(text);
  return value;
}

// The text is valid JSON, so that its strings and brackets are all there is to look at: a string is a name exactly when a
// colon follows. By a loop: a regular expression needs a stack as long as the string.
function refuseDuplicates(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case "{":
        open.push(new Set());
        break;
      case "[":
        open.push(undefined);
        break;
      case "}":
      case "]":
        open.pop();
        break;
      case '"': {
        const end = endOfString(text, at);
        if (isName(text, end)) addOnce(open.at(-1)!, JSON.parse(text.slice(at, end)) as string);
        at = end - 1;
      }
    }
    if (open.length > MAX_DEPTH) throw tooLarge();
  }
}

function addOnce(names: Set<string>, name: string): void {
  if (names.has(name)) throw new DataFault("json", "a JSON object in which no name stands twice");
  names.add(name);
}

/** The index after the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

const COLON = /[ \t\r\n]*:/y;

function isName(text: string, at: number): boolean {
  COLON.lastIndex = at;
  return COLON.test(text);
}
