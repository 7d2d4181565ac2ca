import "../ai-sdk/calls.test.ts";
