/**
 * What it costs to guess the value behind a fingerprint without a key, on one core of this machine: the numbers of
 * docs/privacy.md. `npx tsx scripts/measure-guessing.ts`; takes about half a minute.
 *
 * @module
 */
import { hash, randomInt } from "node:crypto";
import { cpus } from "node:os";
import { canonicalFp, FingerprintKey, prepareVolatileKeys, wireFp } from "../src/fingerprint/index.ts";

interface Space {
  readonly what: string;
  readonly candidates: number;
  readonly counted: string;
}

const SPACES: readonly Space[] = [
  { what: "four-digit PIN", candidates: 1e4, counted: "10^4" },
  { what: "ISO date of birth", candidates: 36_525, counted: "the days of 100 years" },
  { what: "six-digit one-time code", candidates: 1e6, counted: "10^6" },
  { what: "phone number, area code known", candidates: 8e6, counted: "North America: 8 · 10^6" },
  {
    what: "payment card, first 8 digits known",
    candidates: 1e7,
    counted: "16 digits less 8, less the check digit",
  },
  {
    what: "US social security number",
    candidates: 898 * 99 * 9_999,
    counted: "those that are issued: 898 · 99 · 9,999",
  },
  {
    what: "payment card, first 6 digits known",
    candidates: 1e9,
    counted: "16 digits less 6, less the check digit",
  },
  { what: "phone number", candidates: 6.4e9, counted: "North America: 800 · 800 · 10^4" },
  { what: "UUID of version 4", candidates: 2 ** 122, counted: "2^122" },
];

const SECOND = 1_000;
const MEASURED = 5 * SECOND;
const BATCH = 10_000;

/** Milliseconds of processor time: what others do on this machine does not count. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Guesses a second: the median of three measurements. */
function rateOf(guess: (candidate: number) => string): number {
  const rates = [0, 1, 2].map(() => {
    const start = processorTime();
    let guesses = 0;
    let elapsed = 0;
    while (elapsed < MEASURED / 3) {
      for (let candidate = 0; candidate < BATCH; candidate += 1) guess(candidate);
      guesses += BATCH;
      elapsed = processorTime() - start;
    }
    return (guesses / elapsed) * SECOND;
  });
  return rates.sort((a, b) => a - b)[1] ?? 0;
}

/** Guesses as an attacker does who knows the shape of the arguments: no JSON is written, only the digits change. */
const byText = (candidate: number): string =>
  hash("sha256", `{"phone":"+1415${String(candidate).padStart(7, "0")}"}`, "hex").slice(0, 16);

const byLibrary = (candidate: number): string =>
  canonicalFp({ phone: `+1415${String(candidate).padStart(7, "0")}` });

const own = new FingerprintKey(crypto.getRandomValues(new Uint8Array(32)));
const volatile = prepareVolatileKeys();
const keyed = (candidate: number): string =>
  wireFp({ phone: `+1415${String(candidate).padStart(7, "0")}` }, volatile, own);

/** Finds a number that was drawn now. */
function findPhoneNumber(): string {
  const drawn = 2_000_000 + randomInt(8_000_000);
  const fingerprint = byLibrary(drawn);
  const start = processorTime();
  for (let candidate = 2_000_000; candidate < 10_000_000; candidate += 1) {
    if (byText(candidate) !== fingerprint) continue;
    const seconds = (processorTime() - start) / SECOND;
    return `found after ${count(candidate - 1_999_999)} guesses in ${seconds.toFixed(1)} s`;
  }
  throw new Error("the number was not found");
}

const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [365.25 * 86_400, "years"],
  [86_400, "days"],
  [3_600, "hours"],
  [60, "minutes"],
  [1, "seconds"],
];

function duration(seconds: number): string {
  if (seconds < 1.5) return seconds < 1 ? "less than a second" : "one second";
  const [unit, name] = UNITS.find(([length]) => seconds >= 2 * length) ?? [1, "seconds"];
  const amount = seconds / unit;
  return `${amount < 1e6 ? count(Math.round(amount)) : amount.toExponential(0).replace(/e\+(\d+)/, " · 10^$1")} ${name}`;
}

const count = (amount: number): string => amount.toLocaleString("en-US");
const rate = (perSecond: number): string => count(Number(perSecond.toPrecision(2)));
const row = (...cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

console.log(
  `Node ${process.version}, one core of ${cpus()[0]?.model ?? "an unknown processor"}, ${new Date().toISOString().slice(0, 10)}\n`,
);
for (const guess of [byText, byLibrary, keyed]) guess(0);
const [fast, plain, withKey] = [rateOf(byText), rateOf(byLibrary), rateOf(keyed)];
console.log(
  `Guesses a second of processor time: ${rate(fast)} with node:crypto alone, ${rate(plain)} with canonicalFp.`,
);
console.log(
  `A fingerprint of these arguments takes ${(1e6 / plain).toFixed(1)} µs without a key and ${(1e6 / withKey).toFixed(1)} µs with one.`,
);
console.log(`A phone number that was drawn at random, area code known: ${findPhoneNumber()}.\n`);
console.log(row("value", "candidates", "all of them tried in"));
console.log(row("---", "---", "---"));
for (const { what, candidates, counted } of SPACES) {
  console.log(row(what, counted, duration(candidates / fast)));
}
