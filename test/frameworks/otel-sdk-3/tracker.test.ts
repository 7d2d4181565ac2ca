import type { SpanProcessor } from "@opentelemetry/sdk-trace";
import { ToolSpanTracker } from "../../../src/tracker/index.ts";
import { describeTracker } from "../../support/tracker-suite.ts";
import { sdk3 } from "./sdk-3.ts";

// Assignable to the SDK's own interface: checked by `npm run typecheck` in this folder.
export const processor: SpanProcessor = new ToolSpanTracker();

describeTracker(sdk3);
