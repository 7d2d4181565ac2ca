/**
 * Spans through tracker, labels, batch processor and OTLP exporter to a receiver on this machine, as fast as the export
 * keeps up with, and not one may be lost.
 *
 * @module
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-node";
import { ToolSpanTracker } from "../../src/tracker/index.ts";
import { heapMegabytes } from "./collect-garbage.ts";
import { type Driven, drive, processorSecondsSince } from "./drive.ts";
import type { Arrived } from "./receiver.ts";
import { createWorkload, type Workload } from "./workload.ts";

/** What is asked. */
export interface ExportLoad {
  readonly workload: Workload;
  readonly encoding: "json" | "protobuf";
  readonly seconds: number;
  readonly rate: number;
}

/** How it went. */
export interface ExportedLoad extends Driven {
  readonly grownMegabytes: number;
  readonly receiverGrownMegabytes: number;
  /** Sentences on what is wrong; none when nothing is. */
  readonly faults: readonly string[];
}

// Spans that may wait to be exported. The processor drops beyond its queue, which is four times as long.
const MAX_WAITING = 8_192;
const MAX_GROWN_MEGABYTES = 10;
const WARM_UP_SECONDS = 3;

/** Drives, waits until everything has been exported, and counts on both sides. */
export async function exportLoad({ workload, encoding, seconds, rate }: ExportLoad): Promise<ExportedLoad> {
  const child = fork(fileURLToPath(new URL("./receiver.mjs", import.meta.url)));
  try {
    const [{ url }] = (await once(child, "message")) as [{ url: string }];
    const Exporter = encoding === "json" ? JsonExporter : ProtobufExporter;
    const counted = countedExporter(new Exporter({ url: `${url}/v1/traces` }));
    const batches = new BatchSpanProcessor(counted.exporter, {
      maxQueueSize: MAX_WAITING * 4,
      maxExportBatchSize: 512,
      scheduledDelayMillis: 100,
    });
    const tracker = new ToolSpanTracker();
    const provider = new BasicTracerProvider({
      spanProcessors: workload.labelled ? [tracker, batches] : [batches],
    });
    const { step, made } = createWorkload(workload, provider.getTracer("load"));
    const isBehind = (): boolean => made.spans - counted.taken() > MAX_WAITING;
    const settled = async () => {
      await provider.forceFlush();
      return { heap: heapMegabytes(), arrived: await ask(child) };
    };
    await drive({ seconds: WARM_UP_SECONDS, rate, step, spans: () => made.spans, isBehind });
    const before = await settled();
    const start = performance.now();
    const used = process.cpuUsage();
    const driven = await drive({ seconds, rate, step, spans: () => made.spans, isBehind });
    await provider.forceFlush();
    // What was still waiting has been exported by now; that belongs to the time.
    const exported = {
      seconds: (performance.now() - start) / 1_000,
      processorSeconds: processorSecondsSince(used),
    };
    const after = await settled();
    const grown = after.heap - before.heap;
    const { arrived } = after;
    const faults = [
      ...counted.failures,
      ...(arrived.spans === made.spans ? [] : [`${made.spans} spans were made, ${arrived.spans} arrived`]),
      ...(arrived.idSum === made.idSum ? [] : ["the spans that arrived are not those that were made"]),
      ...(arrived.toolSpans === made.toolCalls
        ? []
        : [`${arrived.toolSpans} of ${made.toolCalls} tool spans arrived`]),
      ...(arrived.labelled === (workload.labelled ? made.toolCalls : 0)
        ? []
        : [`${arrived.labelled} of ${made.toolCalls} tool spans carry all labels`]),
      ...(grown < MAX_GROWN_MEGABYTES ? [] : [`the heap grew by ${grown.toFixed(1)} MB`]),
      ...(tracker.size.live + tracker.size.waiting === 0
        ? []
        : ["the tracker still remembers spans that ended"]),
    ];
    await provider.shutdown();
    return {
      ...driven,
      ...exported,
      grownMegabytes: grown,
      receiverGrownMegabytes: arrived.heapMegabytes - before.arrived.heapMegabytes,
      faults,
    };
  } finally {
    if (child.connected) child.send("close");
  }
}

async function ask(child: ChildProcess): Promise<Arrived> {
  const answer = once(child, "message");
  child.send("counts");
  return (await answer)[0] as Arrived;
}

// The processor says nothing of what it drops, and the exporter nothing of how far it is.
function countedExporter(inner: SpanExporter) {
  let taken = 0;
  const failures: string[] = [];
  const exporter: SpanExporter = {
    export(spans, done) {
      inner.export(spans, (result) => {
        taken += spans.length;
        if (result.code !== 0) failures.push(`an export of ${spans.length} spans failed`);
        done(result);
      });
    },
    shutdown: () => inner.shutdown(),
    forceFlush: async () => inner.forceFlush?.(),
  };
  return { exporter, failures, taken: () => taken };
}
