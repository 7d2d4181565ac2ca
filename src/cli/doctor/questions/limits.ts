import type { Facts } from "../facts.ts";
import type { Fault, Question } from "../judgement.ts";
import { NEEDS, type Need } from "../needs.ts";
import { heedsLimitVariables } from "../sdk-packages.ts";

/** Limits that the environment sets. What a span of the running provider keeps says more than any variable. */
export const environmentLimits: Question = {
  id: "environment-limits",
  title: "The limits in the environment leave room for labels",
  needsRunning: false,
  ask({ env, installed, running }) {
    const seen = running?.limits;
    const heeded = seen === undefined ? heedsLimitVariables(installed) : "yes";
    if (heeded === "no") return [];
    return NEEDS.filter(({ limit, atLeast }) => seen === undefined || seen[limit] < atLeast)
      .flatMap((need) => faultInEnvironment(need, env))
      .map((fault) =>
        heeded === "yes" ? fault : { ...fault, level: "warning", why: `${fault.why} ${PERHAPS}` },
      );
  },
};

const PERHAPS =
  "A TracerProvider of @opentelemetry/sdk-trace 3 that is made in code does not read it, other SDKs and NodeSDK do: --import shows which it is here.";

/** Limits that the application's own code sets. */
export const runningLimits: Question = {
  id: "running-limits",
  title: "Spans of the running provider keep what labels need",
  needsRunning: true,
  ask({ running }) {
    const { limits } = running ?? {};
    if (limits === undefined) return [];
    return NEEDS.filter(({ limit, atLeast }) => limits[limit] < atLeast).map((need) => ({
      level: "error",
      what: `A span of the running provider keeps ${limits[need.limit]} ${need.what}.`,
      why: `${capital(need.consequence)}.`,
      fix: `Raise the limit to ${need.atLeast} or more: in the provider's spanLimits, or with ${need.variables[0]}.`,
    }));
  },
};

function faultInEnvironment(need: Need, env: Facts["env"]): Fault[] {
  const variable = need.variables.find((name) => env[name]?.trim());
  if (variable === undefined) return [];
  const value = Number(env[variable]);
  if (!Number.isFinite(value) || value >= need.atLeast) return [];
  return [
    {
      level: "error",
      what: `${variable} is ${value}.`,
      why: `${capital(need.consequence)}.`,
      fix: `Unset ${variable}, or set it to ${need.atLeast} or more.`,
    },
  ];
}

const capital = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);
