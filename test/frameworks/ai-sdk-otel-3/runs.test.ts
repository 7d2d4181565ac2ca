import "../ai-sdk/runs.test.ts";
