/**
 * What a fingerprint costs, against the least that any could: `JSON.stringify` and a native hash, without sorting,
 * stripping or checking. Other libraries that write JSON in a fixed order stand beside it; none of them strips, and
 * none refuses all that the contract refuses.
 *
 * @module
 */
import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { fileURLToPath } from "node:url";
import canonicalize from "canonicalize";
import fastJsonStableStringify from "fast-json-stable-stringify";
import { canonicalize as jsonCanonicalize } from "json-canonicalize";
import { configure } from "safe-stable-stringify";
import { canonicalFp, prepareVolatileKeys, wireFp } from "../src/fingerprint/index.ts";
import { type Candidate, compare, type Effort, type Measured, warmUp } from "./harness.ts";
import { payloads } from "./payloads.ts";

const volatile = prepareVolatileKeys();
const safeStableStringify = configure({ deterministic: true });
const sha256 = (text: string | undefined): string => hash("sha256", text ?? "", "hex").slice(0, 16);

const LOWER_BOUND = "JSON.stringify + hash (the least)";
const OWN = ["canonicalFp", "wireFp, which wrapTool uses"];

const candidates: readonly Candidate[] = [
  { name: OWN[0]!, run: (value) => canonicalFp(value) },
  { name: OWN[1]!, run: (value) => wireFp(value, volatile) },
  { name: LOWER_BOUND, run: (value) => sha256(JSON.stringify(value)) },
  { name: "fast-json-stable-stringify + hash", run: (value) => sha256(fastJsonStableStringify(value)) },
  { name: "canonicalize + hash", run: (value) => sha256(canonicalize(value)) },
  { name: "json-canonicalize + hash", run: (value) => sha256(jsonCanonicalize(value)) },
  { name: "safe-stable-stringify + hash", run: (value) => sha256(safeStableStringify(value)) },
];

const time = (nanoseconds: number): string =>
  nanoseconds < 1e6 ? `${(nanoseconds / 1e3).toFixed(1)} µs` : `${(nanoseconds / 1e6).toFixed(1)} ms`;

function cell({ name, nanoseconds, ratio }: Measured): string {
  return name === LOWER_BOUND ? `1 (${time(nanoseconds)})` : ratio.toFixed(2);
}

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** Times as multiples of the least, and memory, as Markdown. */
export function fingerprintTable(effort: Effort): string {
  warmUp(
    candidates,
    payloads.map(({ value }) => value),
    effort,
  );
  const columns = payloads.map(({ value }) => compare(candidates, LOWER_BOUND, value, effort));
  return [
    row(["fingerprint", ...payloads.map(({ name }) => name)]),
    row(["---", ...payloads.map(() => "---")]),
    row(["goal", ...payloads.map(({ goal }) => `≤ ${goal}`)]),
    ...candidates.map(({ name }, index) => row([name, ...columns.map((column) => cell(column[index]!))])),
    "",
    `Growth of memory by one fingerprint of a list of 10.8 MB, in a fresh process (goal: under 40 MB): ${growth()}.`,
  ].join("\n");
}

function growth(): string {
  const script = fileURLToPath(new URL("./peak-memory.mjs", import.meta.url));
  return ["canonicalFp", "wireFp", "JSON.stringify + hash"]
    .map((name) => {
      const bytes = execFileSync(process.execPath, ["--expose-gc", script, name], {
        encoding: "utf8",
      });
      return `${name} ${(Number(bytes) / 1e6).toFixed(0)} MB`;
    })
    .join(", ");
}
