/**
 * Finding a text in whatever form it came out: as it is, in another case, escaped, percent-encoded, in hexadecimal or
 * base64 digits, backwards, cut, or with line breaks in it.
 *
 * @module
 */

/** The form in which a text was found. */
export type LeakForm =
  | "as it is"
  | "in another case"
  | "escaped or percent-encoded"
  | "in hexadecimal"
  | "in base64"
  | "backwards";

/** A piece this long does not turn up by chance, and a text that was cut still holds one. */
const PIECE = 12;
/** Escapes within escapes are taken off this many times. */
const MAX_UNESCAPES = 3;
/** Characters searched of one text. A label is far shorter; a logged object may not be. */
const MAX_SEARCHED = 1_000_000;

/** Looks for one text, which has to be of letters and digits and at least 12 characters long. */
export function formFinder(sought: string): (text: string) => LeakForm | undefined {
  const lower = sought.toLowerCase();
  const plain = pieces(sought);
  const anyCase = pieces(lower);
  const backwards = pieces([...lower].reverse().join(""));
  const hex = pieces(lower, sought).flatMap((piece) => [toHex(piece)]);
  const base64 = [0, 1, 2].flatMap((offset) => pieces(toBase64(sought, offset)));
  const holds = (text: string, wanted: readonly string[]) => wanted.some((piece) => text.includes(piece));

  return (given) => {
    const text = given.slice(0, MAX_SEARCHED);
    if (holds(text, plain)) return "as it is";
    if (holds(text.toLowerCase(), anyCase)) return "in another case";
    let unescaped = text;
    for (let round = 0; round < MAX_UNESCAPES; round += 1) {
      const next = withoutEscapes(unescaped);
      if (next === unescaped) break;
      unescaped = next;
      if (holds(unescaped.toLowerCase(), anyCase)) return "escaped or percent-encoded";
    }
    // Encoders break lines and put separators between bytes.
    for (const dense of new Set([unescaped, unescaped.replace(/[\s:,_-]+/g, "")])) {
      if (holds(dense.toLowerCase(), anyCase)) return "as it is";
      if (holds(dense.toLowerCase(), hex)) return "in hexadecimal";
      if (holds(dense, base64)) return "in base64";
      if (holds(dense.toLowerCase(), backwards)) return "backwards";
    }
    return undefined;
  };
}

function pieces(...texts: readonly string[]): string[] {
  return texts.flatMap((text) =>
    Array.from({ length: Math.max(0, text.length - PIECE + 1) }, (_, at) => text.slice(at, at + PIECE)),
  );
}

const toHex = (text: string): string => Buffer.from(text, "utf8").toString("hex");

// Base64 digits depend on where a text starts within a group of three bytes. Digits that its neighbours share are left
// off, and so is the padding.
function toBase64(text: string, offset: number): string {
  const digits = Buffer.from(" ".repeat(offset) + text, "utf8").toString("base64");
  const whole = Math.floor(((offset + text.length) * 8) / 6);
  return digits.slice(Math.ceil((offset * 8) / 6), whole);
}

// JSON and JavaScript escapes, percent-encoding, and character references.
function withoutEscapes(text: string): string {
  return text.replace(
    /\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|%([0-9a-f]{2})|&#x([0-9a-f]{1,6});|&#(\d{1,7});/gi,
    (whole, unicode, byte, percent, hexReference, reference) => {
      const code =
        reference === undefined
          ? Number.parseInt(unicode ?? byte ?? percent ?? hexReference, 16)
          : Number(reference);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
