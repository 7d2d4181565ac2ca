import type { Question } from "../judgement.ts";

const FIRST_WITHOUT_SPANS = 7;

/** Since version 7 the AI SDK leaves spans to another package, and accepts the old option without using it. */
export const aiSdk: Question = {
  id: "ai-sdk-spans",
  title: "The AI SDK has what it needs to make spans",
  needsRunning: false,
  ask({ installed: { packages } }) {
    const sdk = packages.ai;
    if (sdk === undefined || packages["@ai-sdk/otel"] !== undefined) return [];
    if (Number(sdk.version.split(".")[0]) < FIRST_WITHOUT_SPANS) return [];
    return [
      {
        level: "error",
        what: `The AI SDK ${sdk.version} is installed without @ai-sdk/otel.`,
        why: "From version 7 on it makes no spans by itself; experimental_telemetry is accepted and has no effect.",
        fix: "npm install @ai-sdk/otel, and register its integration when telemetry is set up.",
      },
    ];
  },
};
