import * as sdk3 from "@opentelemetry/sdk-trace";
import { describeRecording } from "../../testing/support/recording-suite.ts";

describeRecording({
  name: "SDK 3.x",
  module: sdk3,
  newProvider: (spanProcessors) => new sdk3.TracerProvider({ spanProcessors: [...spanProcessors] }),
  takesProcessorsLater: false,
});
