/**
 * Run by bounds.test.ts in a process of its own, with the names of the functions to call: how far each refusal pushes
 * the peak of the process's memory, in bytes.
 */
import { refusedAtOnce } from "./refused-at-once.ts";
import { entries } from "./support.ts";

const names = process.argv.slice(2);
const values = Object.values(refusedAtOnce).map(({ make }) => make());
const peak = (): number => process.resourceUsage().maxRSS * 1_024;

for (const name of names) entries[name]!({ warm: ["up", 1] });
const growth: number[] = [];
for (const value of values)
  for (const name of names) {
    const before = peak();
    try {
      entries[name]!(value);
    } catch {
      growth.push(peak() - before);
    }
  }
process.stdout.write(JSON.stringify(growth));
