import "../ai-sdk/approval.test.ts";
