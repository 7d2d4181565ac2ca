/** A span processor that prints the labels of each span as it ends. */
import type { SpanProcessor } from "@opentelemetry/sdk-trace-node";

export const printLabels: SpanProcessor = {
  onStart() {},
  onEnd({ name, attributes }) {
    const labels = Object.entries(attributes).filter(([key]) => key.startsWith("trustabl."));
    if (labels.length === 0) return;
    console.log(name);
    for (const [key, value] of labels) console.log(`  ${key.padEnd(26)} ${value}`);
  },
  forceFlush: async () => {},
  shutdown: async () => {},
};
