/**
 * `npm run test:load [-- --seconds 60] [--rate 200000] [--only WORDS] [--compare]`: drives spans through tracker and labels, alone and
 * with a batch exporter to a receiver in another process. Prints what the machine could do; exits with 1 when a span or a
 * label was lost, or the heap grew. How fast it has to be it does not say: machines differ.
 *
 * @module
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { type ExportedLoad, exportLoad } from "./export-load.ts";
import { type LabelledLoad, labelLoad } from "./label-load.ts";
import type { Workload } from "./workload.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    rate: { type: "string", default: "200000" },
    only: { type: "string", default: "" },
    compare: { type: "boolean", default: false },
  },
});
const seconds = numberOf("--seconds", values.seconds);
const rate = numberOf("--rate", values.rate);

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

const MIXED = { name: "every fourth span a tool call", others: 3 };
const TOOLS = { name: "tool calls only", others: 0 };

interface Part {
  readonly name: string;
  readonly run: () => Promise<LabelledLoad | ExportedLoad>;
}

// The same without labels says what they cost.
const ways = values.compare ? [false, true] : [true];
const parts: Part[] = [
  ...[MIXED, TOOLS].flatMap((mix) =>
    ways.map((labelled): Part => {
      const workload: Workload = { ...mix, labelled };
      return {
        name: `no exporter, ${mix.name}, ${labelled ? "labels" : "no labels"}`,
        run: () => labelLoad(workload, seconds, rate),
      };
    }),
  ),
  ...(["json", "protobuf"] as const).flatMap((encoding) =>
    ways.map((labelled): Part => {
      const workload: Workload = { ...MIXED, labelled };
      return {
        name: `OTLP ${encoding}, ${MIXED.name}, ${labelled ? "labels" : "no labels"}`,
        run: () => exportLoad({ workload, encoding, seconds, rate }),
      };
    }),
  ),
];

console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, ${new Date().toISOString().slice(0, 10)}; at most ${rate.toLocaleString("en-US")} spans a second, ${seconds} s each\n`,
);
console.log(
  "| | spans a second | spans a second of processor time | event-loop delay p99 | heap growth | lost |\n| --- | --- | --- | --- | --- | --- |",
);
let failed = false;
for (const { name, run } of parts.filter((part) => part.name.includes(values.only))) {
  const load = await run();
  const [speed, ofProcessor] = [load.seconds, load.processorSeconds].map((time) =>
    Math.round(load.spans / time).toLocaleString("en-US"),
  );
  const lost = load.faults.length === 0 ? "nothing" : load.faults.join("; ");
  console.log(
    `| ${name} | ${speed} | ${ofProcessor} | ${load.delay99.toFixed(0)} ms | ${load.grownMegabytes.toFixed(1)} MB | ${lost} |`,
  );
  failed ||= load.faults.length > 0;
}
process.exitCode = failed ? 1 : 0;

function numberOf(option: string, text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`${option} needs a number above 0`);
  return number;
}
