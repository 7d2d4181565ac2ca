import type { Question } from "../judgement.ts";

/** Whether spans are made at all. */
export const provider: Question = {
  id: "provider",
  title: "A tracer provider is registered, and its spans record",
  needsRunning: true,
  ask({ running }) {
    if (running === undefined) return [];
    if (!running.hasProvider) {
      return [
        {
          level: "error",
          what: "No tracer provider is registered after the set-up was loaded.",
          why: "Every span is then a placeholder that keeps nothing. A second registration is refused without a word, and so is one by another copy of @opentelemetry/api.",
          fix: "Call provider.register(), or start the SDK, in the file that is loaded first.",
        },
      ];
    }
    if (running.records) return [];
    return [
      {
        level: "error",
        what: "A new span of the registered provider does not record.",
        why: "Labels are written on recording spans only.",
        fix: "Look at the provider's sampler, and at whether it was shut down.",
      },
    ];
  },
};
