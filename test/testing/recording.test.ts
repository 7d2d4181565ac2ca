import * as sdk2 from "@opentelemetry/sdk-trace-node";
import * as sdk1 from "otel-sdk-1";
import { describeRecording } from "./support/recording-suite.ts";

describeRecording({
  name: "SDK 1.30",
  module: sdk1,
  newProvider: (spanProcessors) =>
    new sdk1.BasicTracerProvider({ spanProcessors: spanProcessors as sdk1.SpanProcessor[] }),
  takesProcessorsLater: true,
});

describeRecording({
  name: "SDK 2.x",
  module: sdk2,
  newProvider: (spanProcessors) =>
    new sdk2.NodeTracerProvider({ spanProcessors: spanProcessors as sdk2.SpanProcessor[] }),
  takesProcessorsLater: false,
});
