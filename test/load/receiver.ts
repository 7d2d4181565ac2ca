/**
 * The other end, in a process of its own: receives what is exported, counts it, and looks at the labels of every tool
 * span. Tells its address first, and what it counted whenever it is asked.
 *
 * @module
 */
import { startOtlpReceiver } from "../../src/otlp-receiver/index.ts";
import { heapMegabytes } from "./collect-garbage.ts";
import { idNumber } from "./workload.ts";

/** What has arrived. */
export interface Arrived {
  readonly spans: number;
  readonly idSum: number;
  readonly toolSpans: number;
  /** Tool spans with all six labels, each of its right type. */
  readonly labelled: number;
  readonly heapMegabytes: number;
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
}
interface Export {
  readonly resourceSpans?: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly spanId: string;
        readonly name: string;
        readonly attributes: readonly Attribute[];
      }[];
    }[];
  }[];
}

const TEXTS = [
  "trustabl.run_id",
  "trustabl.tool.input_fp",
  "trustabl.tool.output_fp",
  "trustabl.tool.side_effect",
];
const COUNTS = ["trustabl.step_index", "trustabl.tool.attempt"];

let [spans, idSum, toolSpans, labelled] = [0, 0, 0, 0];

function take({ resourceSpans = [] }: Export): void {
  for (const { scopeSpans } of resourceSpans) {
    for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
      spans += 1;
      idSum = (idSum + idNumber(span.spanId)) % Number.MAX_SAFE_INTEGER;
      if (!span.name.startsWith("execute_tool")) continue;
      toolSpans += 1;
      if (hasLabels(span.attributes)) labelled += 1;
    }
  }
}

function hasLabels(attributes: readonly Attribute[]): boolean {
  const values = new Map(attributes.map(({ key, value }) => [key, value]));
  return (
    TEXTS.every((name) => (values.get(name)?.stringValue ?? "") !== "") &&
    COUNTS.every((name) => values.get(name)?.intValue !== undefined)
  );
}

const receiver = await startOtlpReceiver({
  port: 0,
  onTraces: (request) => {
    take(request as Export);
    return undefined;
  },
});
process.on("message", async (word) => {
  if (word === "close") {
    await receiver.close();
    process.disconnect();
  } else {
    process.send?.({ spans, idSum, toolSpans, labelled, heapMegabytes: heapMegabytes() } satisfies Arrived);
  }
});
process.send?.({ url: receiver.url });
