/**
 * Run by verify.ts in a fresh process: reads a file in one of the ways that are compared, and prints how long it took and
 * the highest use of memory, as JSON.
 */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { createFindings } from "../src/findings/index.ts";
import { createOtlpReader, createVerifier, type SpanSink } from "../src/verify/index.ts";

// As the command line reads.
const CHUNK_BYTES = 262_144;
const [way, path = ""] = process.argv.slice(2);
const start = process.hrtime.bigint();
let spans = 0;
let verdict: string | undefined;
if (way === "verify") {
  const verifier = createVerifier();
  await readInto(verifier);
  const report = verifier.finish();
  spans = report.examined.spans;
  verdict = report.verdict;
} else if (way === "findings") {
  const rules = createFindings();
  await readInto(rules);
  const report = rules.finish();
  spans = report.examined.spans;
  verdict = report.rules.flatMap(({ rule, outcome }) => (outcome === "found" ? [rule] : [])).join(", ");
} else {
  for await (const line of createInterface({
    input: createReadStream(path, { highWaterMark: CHUNK_BYTES }),
  })) {
    const { resourceSpans } = JSON.parse(line) as {
      resourceSpans: { scopeSpans: { spans: unknown[] }[] }[];
    };
    for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans += scope.spans.length;
  }
}
const seconds = Number(process.hrtime.bigint() - start) / 1e9;
const { user, system } = process.cpuUsage();
const processorSeconds = (user + system) / 1e6;
const peakMegabytes = process.resourceUsage().maxRSS / 1_024;
process.stdout.write(JSON.stringify({ seconds, processorSeconds, peakMegabytes, spans, verdict }));

async function readInto(sink: SpanSink): Promise<void> {
  const reader = createOtlpReader(sink);
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }))
    reader.write(chunk as Buffer);
  reader.end();
}
