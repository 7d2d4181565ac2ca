import type { Facts } from "../facts.ts";
import type { Fault, Question } from "../judgement.ts";

/** Variables that switch tracing off. Each is right somewhere and forgotten elsewhere. */
export const tracingEnabled: Question = {
  id: "tracing-enabled",
  title: "The environment does not switch tracing off",
  needsRunning: false,
  ask: (facts) =>
    [sdkDisabled(facts), noSampling(facts), noExporter(facts), agentsTracing(facts)].filter(
      (fault) => fault !== undefined,
    ),
};

function sdkDisabled({ env }: Facts): Fault | undefined {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() !== "true") return undefined;
  return {
    level: "error",
    what: "OTEL_SDK_DISABLED is true.",
    why: "The Node SDK then registers nothing: there are no spans, and no labels.",
    fix: "Unset OTEL_SDK_DISABLED.",
  };
}

function noSampling({ env }: Facts): Fault | undefined {
  const sampler = env.OTEL_TRACES_SAMPLER?.trim();
  if (sampler !== "always_off" && sampler !== "parentbased_always_off") return undefined;
  return {
    level: "error",
    what: `OTEL_TRACES_SAMPLER is ${sampler}.`,
    why: "No span records, so no label is written.",
    fix: "Unset OTEL_TRACES_SAMPLER, or choose a sampler that keeps traces.",
  };
}

function noExporter({ env }: Facts): Fault | undefined {
  if (env.OTEL_TRACES_EXPORTER?.trim() !== "none") return undefined;
  return {
    level: "warning",
    what: "OTEL_TRACES_EXPORTER is none.",
    why: "The Node SDK then makes spans and exports none, unless the application adds an exporter of its own.",
    fix: "Unset OTEL_TRACES_EXPORTER, or set it to otlp.",
  };
}

function agentsTracing({ env, installed }: Facts): Fault | undefined {
  const agents = installed.packages["@openai/agents-core"];
  if (agents === undefined) return undefined;
  const disabled = ["1", "true"].includes(env.OPENAI_AGENTS_DISABLE_TRACING?.trim().toLowerCase() ?? "");
  if (!disabled && env.NODE_ENV !== "test") return undefined;
  return {
    level: "error",
    what: `${disabled ? "OPENAI_AGENTS_DISABLE_TRACING is set" : "NODE_ENV is test"}, and OpenAI Agents ${agents.version} is installed.`,
    why: "OpenAI Agents then makes no spans at all, so there is nothing to label. Test runners set NODE_ENV by themselves.",
    fix: disabled
      ? "Unset OPENAI_AGENTS_DISABLE_TRACING."
      : "Call setTracingDisabled(false) of @openai/agents before the first run.",
  };
}
