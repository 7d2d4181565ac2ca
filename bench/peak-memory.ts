/**
 * Run by fingerprint.ts in a fresh process, with the name of what to measure: the peak of memory during one
 * fingerprint of a list of 10.8 MB, above what was there before, in bytes.
 */
import { hash } from "node:crypto";
import { canonicalFp, prepareVolatileKeys, wireFp } from "../src/fingerprint/index.ts";
import { recordList } from "./payloads.ts";

const volatile = prepareVolatileKeys();
const candidates: Readonly<Record<string, (value: unknown) => string>> = {
  canonicalFp: (value) => canonicalFp(value),
  wireFp: (value) => wireFp(value, volatile),
  "JSON.stringify + hash": (value) => hash("sha256", JSON.stringify(value), "hex"),
};

const run = candidates[process.argv[2] ?? ""]!;
const list = recordList(41_000);
run(recordList(10));
globalThis.gc!();
const before = process.memoryUsage.rss();
run(list);
// The system's mark of the highest use so far. Building the list may have been higher: then this says too much.
process.stdout.write(String(process.resourceUsage().maxRSS * 1_024 - before));
