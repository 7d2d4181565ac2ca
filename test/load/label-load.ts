/**
 * Spans through tracker and labels to nowhere: what labelling alone can do.
 *
 * @module
 */
import { BasicTracerProvider, type SpanProcessor } from "@opentelemetry/sdk-trace-node";
import { ToolSpanTracker } from "../../src/tracker/index.ts";
import { heapMegabytes } from "./collect-garbage.ts";
import { type Driven, drive } from "./drive.ts";
import { createWorkload, type Workload } from "./workload.ts";

/** How it went. */
export interface LabelledLoad extends Driven {
  readonly grownMegabytes: number;
  readonly faults: readonly string[];
}

const LABELS = [
  "trustabl.run_id",
  "trustabl.step_index",
  "trustabl.tool.attempt",
  "trustabl.tool.input_fp",
  "trustabl.tool.output_fp",
  "trustabl.tool.side_effect",
];
const MAX_GROWN_MEGABYTES = 10;
const WARM_UP_SECONDS = 2;

/** Drives, and looks at every span that ends. */
export async function labelLoad(workload: Workload, seconds: number, rate: number): Promise<LabelledLoad> {
  const seen = { spans: 0, labelled: 0 };
  const counter: SpanProcessor = {
    onStart() {},
    onEnd({ name, attributes }) {
      seen.spans += 1;
      if (name.startsWith("execute_tool") && LABELS.every((label) => attributes[label] !== undefined)) {
        seen.labelled += 1;
      }
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const tracker = new ToolSpanTracker();
  const provider = new BasicTracerProvider({
    spanProcessors: workload.labelled ? [tracker, counter] : [counter],
  });
  const { step, made } = createWorkload(workload, provider.getTracer("load"));
  const driven = (length: number) =>
    drive({ seconds: length, rate, step, spans: () => made.spans, isBehind: () => false });
  await driven(WARM_UP_SECONDS);
  const before = heapMegabytes();
  const result = await driven(seconds);
  const grownMegabytes = heapMegabytes() - before;
  const faults = [
    ...(seen.spans === made.spans ? [] : [`${made.spans} spans were made, ${seen.spans} ended`]),
    ...(seen.labelled === (workload.labelled ? made.toolCalls : 0)
      ? []
      : [`${seen.labelled} of ${made.toolCalls} tool spans carry all labels`]),
    ...(grownMegabytes < MAX_GROWN_MEGABYTES ? [] : [`the heap grew by ${grownMegabytes.toFixed(1)} MB`]),
    ...(tracker.size.live + tracker.size.waiting === 0
      ? []
      : ["the tracker still remembers spans that ended"]),
  ];
  await provider.shutdown();
  return { ...result, grownMegabytes, faults };
}
