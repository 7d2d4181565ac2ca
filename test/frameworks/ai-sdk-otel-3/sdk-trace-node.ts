/** The names of SDK 2.x on SDK 3.x, for the scenarios of ../ai-sdk. */
import {
  SimpleSpanProcessor as Processor,
  type SpanExporter,
  TracerProvider,
} from "@opentelemetry/sdk-trace";

export { InMemorySpanExporter } from "@opentelemetry/sdk-trace";

export { TracerProvider as NodeTracerProvider };

export class SimpleSpanProcessor extends Processor {
  constructor(exporter: SpanExporter) {
    super({ exporter });
  }
}
