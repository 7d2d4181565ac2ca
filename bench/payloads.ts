/**
 * The values that are fingerprinted: what tools take and return, from small arguments to a list of 6 MB.
 *
 * Made by a generator with a fixed seed, so every run and every machine measures the same values.
 *
 * @module
 */

/** Numbers in [0, 1), the same ones in every process (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const random = seeded(2026);
const below = (limit: number): number => Math.floor(random() * limit);
const WORDS =
  "account amount archive booking branch budget cancel carrier change client country credit deliver deposit detail draft".split(
    " ",
  );
const word = (): string => WORDS[below(WORDS.length)]!;
const words = (count: number): string => Array.from({ length: count }, word).join(" ");

const callArguments = { to: "JFK", from: "SFO", date: "2026-10-01" };

const order = {
  operation: "place_order",
  request_id: "5f0c-77",
  buyer: {
    id: "b_4711",
    name: "Maria Lindqvist",
    email: "maria@example.org",
    level: "silver",
    address: {
      street: "Storgatan 4",
      extra: null,
      city: "Uppsala",
      postcode: "753 31",
      country: "SE",
    },
  },
  lines: [
    { article: "K-17", count: 3, price: 14.95, labels: ["heavy", "outlet"] },
    { article: "K-18", count: 1, price: 120, labels: [] },
    { article: "M-02", count: 12, price: 0.25, labels: ["small"] },
  ],
  payment: {
    method: "invoice",
    currency: "SEK",
    amount: 16_785,
    capture: false,
    details: { reference: "99-13", channel: "phone", campaign: "autumn-2026" },
  },
  delivery: { carrier: "post", days: 3, note: "Ring twice.\nThe dog is friendly." },
  remark: words(90),
  options: { wrap: true, newsletter: false, insured: null },
  limits: { most: 50_000, least: 1, ratio: 0.375 },
};

/** Markdown as an MCP server returns it, about 8,000 characters. */
function toolText(ending: string): unknown {
  let text = "";
  while (text.length < 8_000)
    text += `## ${words(3)}\n- file: "docs/${word()}.md"\n- ${words(12)}${ending}\n\n`;
  return { content: [{ type: "text", text }], isError: false };
}

function record(index: number): unknown {
  return {
    id: `inv-${String(index).padStart(5, "0")}`,
    title: words(3),
    contact: { id: below(100), email: `${word()}@example.org` },
    amount: below(100_000_000) / 100,
    labels: Array.from({ length: below(4) }, word),
    updated_at: "2026-11-01T08:00:00Z",
    open: random() < 0.5,
    score: random(),
    link: `https://example.org/invoices/${index}`,
  };
}

/** A page of records with a cursor. */
export function recordList(count: number): unknown {
  return {
    items: Array.from({ length: count }, (_, index) => record(index)),
    total: count,
    cursor: "bzo5MA==",
  };
}

function longText(length: number): unknown {
  let body = "";
  while (body.length < length) body += words(20) + (below(4) === 0 ? "\n" : ". ");
  return { body, status: 200 };
}

export interface Payload {
  readonly name: string;
  readonly value: unknown;
  /** Most that a fingerprint may take, in lower bounds. */
  readonly goal: number;
}

export const payloads: readonly Payload[] = [
  { name: "45 B arguments", value: callArguments, goal: 1.3 },
  { name: "1.4 KB nested", value: order, goal: 1.3 },
  { name: "8 KB text", value: toolText(""), goal: 1.1 },
  { name: "8 KB two-byte text", value: toolText(" → ✓"), goal: 1.3 },
  { name: "200 records, 50 KB", value: recordList(200), goal: 1.4 },
  { name: "1 MB text", value: longText(1_048_576), goal: 1.1 },
  { name: "6 MB list", value: recordList(24_000), goal: 2 },
];
