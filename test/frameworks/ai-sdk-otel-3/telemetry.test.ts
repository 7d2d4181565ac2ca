import "../ai-sdk/telemetry.test.ts";
