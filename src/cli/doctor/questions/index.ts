import type { Facts } from "../facts.ts";
import type { Judgement, Question } from "../judgement.ts";
import { aiSdk } from "./ai-sdk.ts";
import { apiCopies } from "./api-copies.ts";
import { contextManager } from "./context-manager.ts";
import { labelsCopies, labelsCopy } from "./labels-copy.ts";
import { environmentLimits, runningLimits } from "./limits.ts";
import { provider } from "./provider.ts";
import { registeredCopy } from "./registered-copy.ts";
import { sdk } from "./sdk.ts";
import { tracingEnabled } from "./tracing-enabled.ts";

/** Every question, in the order of the report. */
const QUESTIONS: readonly Question[] = [
  apiCopies,
  labelsCopy,
  labelsCopies,
  sdk,
  tracingEnabled,
  environmentLimits,
  aiSdk,
  registeredCopy,
  provider,
  contextManager,
  runningLimits,
];

/** Answers every question. */
export function judge(facts: Facts): Judgement[] {
  return QUESTIONS.map(({ id, title, needsRunning, ask }) => {
    if (needsRunning && facts.running === undefined)
      return { id, title, outcome: "not-looked-at", faults: [] };
    const faults = ask(facts);
    return { id, title, outcome: faults.length > 0 ? "fault" : "ok", faults };
  });
}
