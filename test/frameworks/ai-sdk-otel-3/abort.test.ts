import "../ai-sdk/abort.test.ts";
