/** The names of SDK 2.x on SDK 3.x, for the scenarios of ../openai-agents. */
import {
  SimpleSpanProcessor as Processor,
  type SpanExporter,
  TracerProvider,
} from "@opentelemetry/sdk-trace";

export { InMemorySpanExporter } from "@opentelemetry/sdk-trace";

export { TracerProvider as BasicTracerProvider };

export class SimpleSpanProcessor extends Processor {
  constructor(exporter: SpanExporter) {
    super({ exporter });
  }
}
