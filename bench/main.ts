/**
 * `npm run bench [-- <section> ...] [--quick]`: prints tables as Markdown, with the machine they were made on.
 *
 * @module
 */
import { cpus } from "node:os";
import { claimTable } from "./claims.ts";
import { contractTable } from "./contracts.ts";
import { findingsTable } from "./findings.ts";
import { fingerprintTable } from "./fingerprint.ts";
import { type Effort, FULL, QUICK } from "./harness.ts";
import { labelTable } from "./labels.ts";
import { verifyTable } from "./verify.ts";

const sections: Readonly<Record<string, (effort: Effort) => string | Promise<string>>> = {
  fingerprint: fingerprintTable,
  labels: labelTable,
  contracts: contractTable,
  claims: claimTable,
  verify: verifyTable,
  findings: findingsTable,
};

const words = process.argv.slice(2);
const quick = words.includes("--quick");
const wanted = words.filter((word) => !word.startsWith("--"));
const unknown = wanted.filter((name) => !(name in sections));
if (unknown.length > 0) throw new Error(`no such section; there are: ${Object.keys(sections).join(", ")}`);

console.log(
  `Node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}, ${new Date().toISOString().slice(0, 10)}` +
    `${quick ? ", quick run: the numbers are rough" : ""}\n`,
);
for (const name of wanted.length > 0 ? wanted : Object.keys(sections))
  console.log(`${await sections[name]!(quick ? QUICK : FULL)}\n`);
